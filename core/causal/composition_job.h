#pragma once
// Finds which heads feed which: a model, texts and settings -> the table edges in a folder.
#include <string>

#include "core/causal/composition_run.h"
#include "core/causal/probe_job.h"

namespace plastiscope {

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

// False if the tables are finished already. Results of finished texts are kept in OUT.partial until then and
// used by the same command. UsageError, InputError, ResourceError, Stopped.
bool runComposition(const CompositionRequest& request, Progress& progress);

}  // namespace plastiscope
