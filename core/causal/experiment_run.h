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
#include "core/causal/kept_runs.h"

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

// Number of the texts index, index + count, ... of a part.
inline std::int64_t textsIn(CapturePart part, std::int64_t texts) {
  return (texts - part.index + part.count - 1) / part.count;
}
// The steps that are missing in a part, each with up to 64 changes of a text. `work`, `kept` and `run` must
// outlive them.
std::vector<RunStep> remainingSteps(const ExperimentWork& work, const KeptResults& kept, CapturePart part,
                                    const RunChanges& run);
// Runs what is missing in the part and returns the sums of all texts: [probes], those of unfinished texts of
// other parts empty. InputError, ResourceError, Stopped.
std::vector<ProbeSums> runTexts(const ExperimentWork& work, const std::filesystem::path& folder,
                                CapturePart part, const RunChanges& run, Progress& progress);

}  // namespace plastiscope
