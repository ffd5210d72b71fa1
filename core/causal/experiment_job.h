#pragma once
// Runs an intervention study: plan -> tables in a folder. Results of runs are kept in OUT.work.
#include <cstdint>
#include <vector>

#include "core/base/progress.h"
#include "core/base/table.h"
#include "core/capture/capture_part.h"
#include "core/causal/experiment_file.h"
#include "core/causal/experiment_run.h"

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

}  // namespace plastiscope
