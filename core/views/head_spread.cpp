#include "core/views/head_spread.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/statistics.h"

namespace plastiscope {

HeadSpread headSpread(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  std::ranges::sort(values);
  const auto at = [&values](double share) {
    return values.empty() ? std::nan("") : percentileOf(values, share);
  };
  return {at(0.05), at(0.25), at(0.5), at(0.75), at(0.95), static_cast<std::int64_t>(values.size())};
}

}  // namespace plastiscope
