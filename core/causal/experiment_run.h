#pragma once
// Runs of an intervention study, whatever computes them. Their results are kept in a folder, one file per
// text, and used by every later study of the same texts in this folder.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/capture/capture_part.h"
#include "core/causal/experiment_statistics.h"

namespace plastiscope {

struct ExperimentWork {
  std::vector<ProbeText> probes;
  ExperimentDesign design;
  std::string settingsHash;       // that the outcomes depend on besides the changes
  std::vector<std::string> ways;  // [ways] likewise, with all input of the way
  std::vector<double> cost;       // [changes] share of the layers that a change runs
};

// Outcomes of the unchanged model, then of these changes, on a probe.
using RunChanges = std::function<std::vector<Outcomes>(
    std::size_t probe, std::span<const std::size_t> changes, Progress& progress)>;

// Runs what is missing in the part, which has the texts index, index + count, ..., and returns the sums of
// all texts: [probes], those of unfinished texts of other parts empty. Every few changes the file of a text
// is written atomically. InputError, ResourceError, Stopped.
std::vector<ProbeSums> runTexts(const ExperimentWork& work, const std::filesystem::path& folder,
                                CapturePart part, const RunChanges& run, Progress& progress);

struct RemainingRuns {
  std::int64_t texts = 0, runs = 0, finished = 0;  // of the part
  double tokens = 0;                               // that run through all layers for them
};
RemainingRuns remainingRuns(const ExperimentWork& work, const std::filesystem::path& folder,
                            CapturePart part);

}  // namespace plastiscope
