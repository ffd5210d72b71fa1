#include "core/causal/composition_request.h"

#include <algorithm>
#include <iterator>

namespace plastiscope {

CompositionRequest::CompositionRequest() {
  ProbeSettings& settings = probes.settings;
  settings.kinds = {ProbeKind::RandomRepeat};
  settings.lengths = {256};
  settings.depths = {0.5};
  settings.count = 16;
  settings.controls = false;
}

OptionList compositionOptions(CompositionRequest& request) {
  OptionList options = probeRequestOptions(request.probes);
  OptionList own = {
      {"--edges",
       "edges",
       &request.edges,
       "Number of edges with the highest scores, all, or a list such as L0H4>L1H7:k,L0H1>L2H3:v",
       {.showsDefault = true},
       {.page = "composition", .row = "&Edges"}},
      {"--heads",
       "heads",
       &request.heads,
       "Heads between which edges are ranked: all, or a list such as L0H4,L1H0-7",
       {.showsDefault = true},
       {.page = "composition", .row = "&Heads"}},
      {"--replace",
       "replace",
       choiceOf(request.replacement),
       "What enters in place of a head's output: zero, or its mean over the texts at the position",
       {.showsDefault = true},
       {.page = "composition", .row = "&Replace by", .words = {"zero", "its mean over the texts"}}},
      {"--weights-only",
       "weights_only",
       &request.weightsOnly,
       "Compute scores only, without running the model",
       {},
       {.page = "composition", .row = "&Model", .label = "Scores of its weights only, without running it"}},
  };
  std::ranges::move(own, std::back_inserter(options));
  return options;
}

}  // namespace plastiscope
