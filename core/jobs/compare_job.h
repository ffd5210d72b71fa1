#pragma once
// Opens captures and analyses and compares them, for the command line and the window.
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/compare/benchmark_data.h"
#include "core/compare/comparison.h"
#include "core/compare/drift.h"
#include "core/compare/reference_check.h"

namespace plastiscope {

struct CompareRequest {
  std::vector<std::filesystem::path>
      files;                       // analyses or captures; a capture is analysed with default settings
  std::vector<std::string> names;  // empty, or one per file
  CompareOrder order = CompareOrder::Given;
  std::string group = {};  // NAME or NAME=HEADS of the first file (parseGroup); "" = all heads
  ComparisonOptions options;
};

// Warnings go to `progress`. UsageError: wrong number of names, unknown metrics; InputError as openStudy.
Comparison compareFiles(const CompareRequest& request, int threads, Progress& progress);

// The models of a comparison as predictors of a benchmark.
PredictorTable predictorsOf(const Comparison& comparison);
// The predictors with the families of the models.
OwnModels ownModels(const Comparison& comparison);

// Deviations of every input from `referenceId` or, if that is empty, from the published model that the
// input's name identifies.
std::vector<Deviation> compareWithReference(const Comparison& comparison,
                                            const std::string& referenceId = {});

// Compares two captures head by head, with at most `threads` heads of both in memory; covers query and key
// heads.
std::vector<HeadDrift> measureDrift(const std::filesystem::path& first, const std::filesystem::path& second,
                                    int threads, Progress& progress);

}  // namespace plastiscope
