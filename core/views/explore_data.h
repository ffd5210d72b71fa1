#pragma once
// Data for exploring one head: the spread of PP over the key pairs that a query position sees (position
// scrubber) and its plasticity after a hypothetical change (what-if sliders).
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/pair_inspection.h"
#include "core/analysis/what_if.h"

namespace plastiscope {

// The bin of a query position in tokens; nullopt between bins and outside of them.
std::optional<std::size_t> binAt(const PpSpread& spread, double position);

// "bin 29 · 46 queries · 256 of 124,328 pairs · AP 0.538"
std::string spreadText(const PpSpread& spread, double position, bool besideAligned = false);

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
