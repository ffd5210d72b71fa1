#pragma once
// Variance modes thesis and global: queries that drift along coordinate 1 of the reflected basis, with
// independent coordinates besides (method.md 4.3, 4.5).
#include "core/analysis/pair_models.h"

namespace plastiscope {

std::unique_ptr<PairModel> makeThesisPairs(const BinQueries& queries, const KeySides& keys,
                                           const UsedKeys& used);
// The same formula; the drift says what is global.
std::unique_ptr<PairModel> makeGlobalPairs(const BinQueries& queries, const KeySides& keys,
                                           const UsedKeys& used);

}  // namespace plastiscope
