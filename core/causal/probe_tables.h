#pragma once
// Tables of probes: how well answers are predicted by distance and depth, how much that owes to their earlier
// place in the text, and which heads attend to it. Replicates are the texts of all intervals (method.md,
// Probes).
#include <span>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/causal/outcome_run.h"

namespace plastiscope {

// probes: a row per kind, condition, length and depth; of the kind text per octave of distance, and for new
// tokens (condition absent). benefit: controls minus present, paired by replicate. retrieval: a row per head,
// over all kinds and per kind. `retrieval`: one per probe.
std::vector<Table> probeTables(std::span<const ProbeText> probes, std::span<const Outcomes> outcomes,
                               std::span<const Retrieval> retrieval);
std::vector<std::string> probeTableNames();

}  // namespace plastiscope
