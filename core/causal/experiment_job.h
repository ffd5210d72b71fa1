#pragma once
// Runs an intervention study: plan -> tables in a folder. Results of runs are kept in OUT.work, and used by
// every later study of the same texts into this folder.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/table.h"
#include "core/capture/capture_part.h"
#include "core/causal/experiment_file.h"
#include "core/causal/experiment_statistics.h"

namespace plastiscope {

struct ExperimentRequest {
  ExperimentPlan plan;
  CapturePart part;  // computes texts index, index + count, ...
};

struct ExperimentOutcome {
  std::int64_t finished = 0, texts = 0;  // of all parts
  bool wasFinished = false;              // the tables existed already
  std::vector<Table> tables;             // empty while texts of other parts are missing, or if wasFinished
};
// Writes the tables once all texts are there. UsageError, InputError, ResourceError; Stopped keeps finished
// runs.
ExperimentOutcome runExperiment(const ExperimentRequest& request, Progress& progress);

struct ExperimentEstimate {
  std::int64_t texts = 0, changes = 0;  // of the part; distinct changes of each text
  std::int64_t runs = 0;                // that are not finished yet
  double seconds = 0;                   // from one unchanged text
};
ExperimentEstimate estimateExperiment(const ExperimentRequest& request, Progress& progress);

// ---- Runs, whatever computes them

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

// Runs what is missing in a part, the texts index, index + count, ..., and returns the sums of all texts:
// [probes], those of unfinished texts of other parts empty. InputError, ResourceError, Stopped.
std::vector<ProbeSums> runTexts(const ExperimentWork& work, const std::filesystem::path& folder,
                                CapturePart part, const RunChanges& run, Progress& progress);

}  // namespace plastiscope
