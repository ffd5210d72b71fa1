#pragma once
// Data for exploring one head: the spread of PP over the key pairs that a query position sees (position
// scrubber) and its plasticity after a hypothetical change (what-if sliders).
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/pair_inspection.h"
#include "core/analysis/what_if.h"

namespace plastiscope {

struct SpreadBin {
  double start = 0, end = 0;                           // query positions [start, end), tokens
  std::int64_t queries = 0, pairs = 0, pairsUsed = 0;  // pairs: admissible; pairsUsed: with a computed PP
  double ap = kMissing;
  std::vector<std::int64_t> counts;  // [kPpSteps] of the pairs used, PP in [i, i + 1) / kPpSteps
};

struct SpreadData {
  std::vector<SpreadBin> bins;                 // ascending
  const SpreadBin* at(double position) const;  // null between bins and outside of them
};

SpreadData makeSpread(const PpSpread& spread);

// "bin 29 · 46 queries · 256 of 124,328 pairs · AP 0.538"
std::string spreadText(const SpreadData& data, double position, bool besideAligned = false);

struct WhatIfLine {
  std::string label;  // "AP<sub>drop</sub>"
  double before = kMissing, after = kMissing;
};

struct WhatIfData {
  std::int64_t window = 0;                 // tokens
  std::vector<double> tau, before, after;  // [bins] query position, tokens; AP, NaN where it is missing
  std::vector<WhatIfLine> lines;           // overall, first and last quintile, drop
};

WhatIfData makeWhatIf(const WhatIfResult& before, const WhatIfResult& after, std::int64_t window);

}  // namespace plastiscope
