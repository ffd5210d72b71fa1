#pragma once
#include "core/analysis/tables.h"

namespace plastiscope {

// The RoPE pair of a layer whose frequency is nearest to |omega| (the lowest on ties); missing where the
// layer has no RoPE, its frequencies are not known, or omega is missing.
double nearestRopePair(const TableContext& context, std::int64_t layer, double omega);

}  // namespace plastiscope
