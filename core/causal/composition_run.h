#pragma once
// Cuts edges between heads, one at a time, and measures by text what changes in the later head and in the
// prediction of the scored tokens (method.md, Composition).
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/causal/composition.h"
#include "core/causal/composition_request.h"
#include "core/causal/outcome_run.h"

namespace plastiscope {

struct EdgeWork {
  std::vector<ProbeText> probes;
  std::vector<HeadEdge> edges;
  PathReplacement replacement = PathReplacement::Zero;
  std::string settingsHash;  // of everything above and of the model
};

// The table edges with scores only.
Table scoredEdges(std::span<const HeadEdge> edges, double baseline);

// The table edges with what cuts change. Results are kept in `folder`, one file per text, and used by the
// next call with the same settings. InputError, ResourceError, Stopped.
Table measuredEdges(const OutcomeRunner& runner, const EdgeWork& work, const std::filesystem::path& folder,
                    std::uint64_t seed, Progress& progress);

}  // namespace plastiscope
