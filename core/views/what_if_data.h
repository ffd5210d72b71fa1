#pragma once
// A head's plasticity as it is and as it would be after a change (what-if sliders).
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/what_if.h"

namespace plastiscope {

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
