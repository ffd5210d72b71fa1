#pragma once
// Which rows of a head the analysis uses.
#include <cstdint>

#include "core/analysis/head_rows.h"
#include "core/base/query_or_key.h"

namespace plastiscope {

// Of several rows for one (example, position) the first is kept (method.md 4.4); `left` counts the others.
KindRows withoutRepeats(KindRows rows, std::int64_t& left);

// Setting max_rows (own definition): of more than `most` rows (0 = any) a random subset, in stored order. The
// rows are ranked 0, 1, ... as stored; Floyd's method of method.md 4.7 draws `most` ranks from the generator
// with state combine(combine(combine(combine(start, mix64(seed)), mix64(layer)), mix64(head)),
// mix64(seedOf(kind))); head is the query head of queries and the KV head of keys.
KindRows thinnedRows(KindRows rows, std::int64_t most, std::uint64_t seed, std::int64_t layer,
                     std::int64_t head, QueryOrKey kind);

}  // namespace plastiscope
