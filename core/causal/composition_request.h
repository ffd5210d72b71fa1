#pragma once
// Input and options of a composition. They are separate from the run (composition_job.h), because the window
// shows them and is linked without an engine.
#include <array>
#include <string>

#include "core/causal/probe_request.h"

namespace plastiscope {

enum class PathReplacement { Zero, Mean };
constexpr std::array<const char*, 2> namesOf(PathReplacement) {
  return {"zero", "mean"};
}

struct CompositionRequest {
  CompositionRequest();  // texts: one random_repeat of 256 tokens per replicate

  ProbeRequest probes;        // model, texts, settings of the probes, folder of the tables
  std::string heads = "all";  // both ends of the edges that are ranked
  std::string edges = "30";   // a number of those with the highest scores, "all", or a list of edges
  PathReplacement replacement = PathReplacement::Zero;
  bool weightsOnly = false;
};
// Options of the probes, then those of the edges.
OptionList compositionOptions(CompositionRequest& request);

}  // namespace plastiscope
