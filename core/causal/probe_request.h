#pragma once
// Input and options of a run of probes. They are separate from the run (probe_job.h), because the window
// shows them and is linked without an engine.
#include <filesystem>

#include "core/base/option.h"
#include "core/capture/capture_request.h"
#include "core/causal/probe_maker.h"
#include "core/store/table_folder.h"

namespace plastiscope {

struct ProbeRequest {
  // Model, texts or token ids (none: random filler), tokenizer, engine, device, type, threads and memory.
  CaptureRequest run;
  ProbeSettings settings;
  std::filesystem::path out;    // folder of the tables; "": the probes are not run
  std::filesystem::path write;  // token file with the probes, for capture --tokens; "": none
  TableRules rules;             // otherSettings: finished tables are computed again
};
// Options of `run` that apply, then those of the settings.
OptionList probeRequestOptions(ProbeRequest& request);

}  // namespace plastiscope
