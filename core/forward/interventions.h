#pragma once
// What a capture changes in single heads on purpose, to see what the layers after them make of it.
#include <cstdint>
#include <vector>

namespace plastiscope {

struct QueryHead {
  std::int64_t layer = 0, head = 0;
};

// The keys k_t that this query head sees become k_t - axis * slope * (t - centre). The other query heads of
// its key head see the keys as they are.
struct KeyClamp {
  QueryHead at;
  std::vector<double> axis;  // [head_dim], length 1
  double slope = 0;          // of axis . k on the position t, a token
  double centre = 0;         // the position whose key stays as it is
};

struct Interventions {
  std::vector<QueryHead> silenced;  // their output, before the output projection, is zero
  std::vector<KeyClamp> clamped;
};

}  // namespace plastiscope
