#pragma once
// The tables of contract.md section 3, from the results of the heads in order of layer and head.
#include <vector>

#include "core/analysis/head_analysis.h"
#include "core/base/table.h"

namespace plastiscope {

// heads, components, axes, profile, map, map_model, component_weights, lengths, diagnostics,
// decomposition (only where asked for), layers, model.
std::vector<Table> makeTables(const std::vector<HeadResult>& heads);

Table headsTable(const std::vector<HeadResult>& heads);
Table profileTable(const std::vector<HeadResult>& heads);
Table mapTable(const std::vector<HeadResult>& heads);
Table mapModelTable(const std::vector<HeadResult>& heads);  // every pair weighs the same

// Means over heads of every measured column of heads.csv, each with the number of heads that had a value;
// slope_ratio_median beside them, because its tail is heavy.
Table layersTable(const Table& heads);
Table modelTable(const Table& heads);

// One sentence about ranges of the profile in which more than 5 % of the bins are missing; "" when there is
// none.
std::string thinRangesWarning(const std::vector<HeadResult>& heads);

}  // namespace plastiscope
