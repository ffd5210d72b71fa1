#pragma once
// Opens captures and analyses and compares them; what the command line and the window call.
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/compare/benchmark_data.h"
#include "core/compare/comparison.h"
#include "core/compare/deviation.h"
#include "core/compare/drift.h"

namespace plastiscope {

struct CompareRequest {
  std::vector<std::filesystem::path>
      files;                       // analyses or captures; a capture is analysed with default settings
  std::vector<std::string> names;  // empty, or one per file
  CompareOrder order = CompareOrder::Given;
  ComparisonOptions options;
};

// Warnings go to `progress`. UsageError: names that are not as many as files, unknown metrics; InputError as
// openStudy.
Comparison compareFiles(const CompareRequest& request, int threads, Progress& progress);

// The models of a comparison as predictors of a benchmark.
PredictorTable predictorsOf(const Comparison& comparison);
// The same with their families.
OwnModels ownModels(const Comparison& comparison);

// Deviations of every input from `referenceId`, or, when that is empty, of every input from the published
// model that its name means.
std::vector<Deviation> compareWithReference(const Comparison& comparison,
                                            const std::string& referenceId = {});

// Head by head, at most `threads` heads of both captures in memory; reports query and key heads.
std::vector<HeadDrift> measureDrift(const std::filesystem::path& first, const std::filesystem::path& second,
                                    int threads, Progress& progress);

}  // namespace plastiscope
