#pragma once
// The part of a plot that a person zoomed to.
#include <map>
#include <string>

namespace plastiscope {

struct ViewRange {
  double xLow = 0, xHigh = 1, yLow = 0, yHigh = 1;
  bool operator==(const ViewRange&) const = default;
};

// By the name of the plot; a plot without an entry shows everything.
using ViewRanges = std::map<std::string, ViewRange>;

}  // namespace plastiscope
