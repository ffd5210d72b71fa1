#pragma once
// Runs probes through a model: texts + settings -> tables in a folder.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/capture/capture_request.h"
#include "core/causal/probe_maker.h"
#include "core/forward/forward_engine.h"
#include "core/model/model.h"
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

struct ProbeSetup {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const ForwardEngine> engine;
  ForwardOptions forward;  // device and type resolved
  std::vector<ProbeText> probes;
  std::string textsDigest;   // SHA-256 of the user's texts as token ids
  JsonValue settings;        // that the outcomes depend on
  std::string settingsHash;  // SHA-256 of canonicalJson(settings)
};
// Opens model, tokenizer and texts and makes the probes. UsageError for the engine transformers; InputError,
// Stopped.
ProbeSetup prepareProbes(const ProbeRequest& request, Progress& progress);

// Writes the tables; results of finished probes are kept in OUT.partial until then and used by the same
// command. False if the tables are finished already. UsageError, InputError, ResourceError, Stopped.
bool runProbes(const ProbeRequest& request, Progress& progress);

}  // namespace plastiscope
