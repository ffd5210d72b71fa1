#pragma once
// Tables of an intervention study (resources/help/causes.md): effects of rankings and named sets, dose
// slopes, single heads, far minus near, every draw, the heads of every set, and a sentence per result.
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/causal/experiment_statistics.h"

namespace plastiscope {

std::vector<Table> experimentTables(const ExperimentDesign& design,
                                    const std::vector<MeasuredOutcome>& outcomes, std::uint64_t seed);
std::vector<std::string> experimentTableNames();

// Tests that cannot reach 5 % after Holm because of too few texts or matched sets, and what to change.
std::vector<std::string> powerWarnings(const ExperimentDesign& design,
                                       const std::vector<MeasuredOutcome>& outcomes);

}  // namespace plastiscope
