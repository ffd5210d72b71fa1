#pragma once
// Tokens that a query sees in layers with an attention window, and their share of all tokens up to the query
// (method.md, Reach).
#include <cstdint>

#include "core/analysis/head_rows.h"

namespace plastiscope {

// First key that a query sees. `window`: tokens that it sees, itself included; chunked: size of a block; 0 =
// all before it.
std::int64_t firstVisibleKey(std::int64_t query, std::int64_t window, bool chunked);

// Mean over the positions from <= t < to of the share of the tokens 0 .. t that a query at t sees; missing
// without a position.
double meanReach(const HeadId& place, std::int64_t from, std::int64_t to);
// The same in the last fifth of a window of that many tokens.
double lastReach(const HeadId& place, std::int64_t window);

}  // namespace plastiscope
