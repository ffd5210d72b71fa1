#pragma once
// Runs probes through a model: texts + settings -> tables in a folder.
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/causal/probe_request.h"
#include "core/forward/forward_engine.h"
#include "core/model/model.h"

namespace plastiscope {

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

// Origin of tables of a command: model, texts and settings of the probes.
TableOrigin originOf(const std::string& command, const CaptureRequest& run, const ProbeSetup& setup);
// Provenance of these tables, with further members.
Json provenanceOf(const TableOrigin& origin, const ModelSpec& spec, Json more);

// Writes the tables; results of finished probes are kept in OUT.partial until then and used by the same
// command. False if the tables are finished already. UsageError, InputError, ResourceError, Stopped.
bool runProbes(const ProbeRequest& request, Progress& progress);

}  // namespace plastiscope
