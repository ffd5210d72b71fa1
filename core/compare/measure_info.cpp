#include "core/compare/measure_info.h"

namespace plastiscope {

MetricInfo describeMeasure(const std::string& column) {
  const auto made = [&column](const char* of, const std::string& words, const std::string& label) {
    MetricInfo metric = describeMetric(of);
    metric.column = column;
    metric.title = words;
    metric.label = label;
    metric.isSigned = false;
    if (metric.range) metric.range->first = 0;
    return metric;
  };
  if (column == "abs_r_q_a")
    return made("r_q_a", "|r| of queries on a", "mean |<i>r</i><sub>Q</sub><sup>a</sup>|");
  if (column == "abs_r_k_a")
    return made("r_k_a", "|r| of keys on a", "mean |<i>r</i><sub>K</sub><sup>a</sup>|");
  if (column == "slope_ratio_median") return made("slope_ratio", "Median slope ratio", "median slope ratio");
  return describeMetric(column);
}

}  // namespace plastiscope
