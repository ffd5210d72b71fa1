#pragma once
// Writes a plot as JSON for resources/page/plot.js, which draws it in a browser. Members have the names of
// core/views/plot.h; those with their default are left out. A colour is "#rrggbb #rrggbb" (light and dark
// theme), a length is in pixels, a missing number null.
#include <cstdint>
#include <string>

#include "core/base/json.h"
#include "core/views/plot.h"

namespace plastiscope {

struct PlotJsonOptions {
  std::int64_t rows = 4000;  // at most so many rows of each kind in a cloud, evenly chosen
  // The request whose answer has the y values of large numbers of lines, which several plots share; "" = the
  // plot itself has them.
  std::string lines = {};
};
Json plotJson(const Plot& plot, const PlotJsonOptions& options = {});

// Four significant digits; null where missing.
Json roundedNumber(double value);
template <typename Values>
Json roundedNumbers(const Values& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(roundedNumber(value));
  return list;
}

}  // namespace plastiscope
