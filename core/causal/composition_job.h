#pragma once
// Finds which heads feed which: a model, texts and settings -> the table edges in a folder. Edges are cut one
// at a time; what changes in the later head and in the prediction of the scored tokens is measured by text
// (method.md, Composition).
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/causal/composition.h"
#include "core/causal/composition_request.h"
#include "core/causal/outcome_run.h"

namespace plastiscope {

// False if the tables are finished already. Results of finished texts are kept in OUT.partial until then and
// used by the same command. UsageError, InputError, ResourceError, Stopped.
bool runComposition(const CompositionRequest& request, Progress& progress);

struct EdgeWork {
  std::vector<ProbeText> probes;
  std::vector<HeadEdge> edges;
  PathReplacement replacement = PathReplacement::Zero;
  std::string settingsHash;  // of everything above and of the model
};

// The table edges with what cuts change. Results are kept in `folder`, one file per text, and used by the
// next call with the same settings. InputError, ResourceError, Stopped.
Table measuredEdges(const OutcomeRunner& runner, const EdgeWork& work, const std::filesystem::path& folder,
                    std::uint64_t seed, Progress& progress);

}  // namespace plastiscope
