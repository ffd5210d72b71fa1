#pragma once
// Variance modes full and empirical: the queries of a bin as they are (method.md 4.5).
#include "core/analysis/pair_models.h"

namespace plastiscope {

std::unique_ptr<PairModel> makeFullPairs(const BinQueries& queries, const KeySides& keys,
                                         const UsedKeys& used);
std::unique_ptr<PairModel> makeEmpiricalPairs(const BinQueries& queries, const KeySides& keys,
                                              const UsedKeys& used);

}  // namespace plastiscope
