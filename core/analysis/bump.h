#pragma once
// The mid-context bump of a profile in deciles: does AP come back in the middle of the window? (method.md
// section 6)
#include <array>
#include <cmath>

namespace plastiscope {

struct Bump {
  double dip = 0, recovery = 0, collapse = 0;  // AP; NaN where a decile is missing
  bool known() const { return std::isfinite(recovery); }
  bool recovers() const { return recovery > 0.005; }
};

// Deciles 1 .. 10, from index 0.
inline Bump bumpOf(const std::array<double, 10>& decile) {
  const double dip = (decile[4] + decile[5]) / 2;
  return {dip, (decile[6] + decile[7]) / 2 - dip, (decile[8] + decile[9]) / 2};
}

}  // namespace plastiscope
