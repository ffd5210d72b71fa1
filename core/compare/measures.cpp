#include "core/compare/measures.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/analysis/columns.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

Spread spreadOf(std::span<const double> values) {
  std::vector<double> present;
  for (const double value : values) {
    if (std::isfinite(value)) present.push_back(value);
  }
  Spread spread;
  spread.count = static_cast<std::int64_t>(present.size());
  if (present.empty()) return spread;
  const auto n = static_cast<double>(present.size());
  spread.mean = sumOf(present) / n;
  std::vector<double> squares;
  for (const double value : present) squares.push_back((value - spread.mean) * (value - spread.mean));
  spread.sd = std::sqrt(sumOf(squares) / n);
  std::sort(present.begin(), present.end());
  spread.p25 = percentileOf(present, 0.25);
  spread.median = percentileOf(present, 0.5);
  spread.p75 = percentileOf(present, 0.75);
  return spread;
}

std::vector<Measure> measuresOf(const Comparison& comparison) {
  std::vector<Measure> measures;
  for (std::size_t m = 0; m < comparison.metrics.size(); ++m) {
    measures.push_back({m, comparison.metrics[m], false});
    if (isHeavyTailed(comparison.metrics[m]))
      measures.push_back({m, comparison.metrics[m] + kMedianEnding, true});
  }
  return measures;
}

Measured measure(const ComparedModel& model, const Measure& what, const std::vector<std::size_t>& heads) {
  std::vector<double> values;
  for (const std::size_t head : heads) values.push_back(model.values[what.metric][head]);
  if (!what.median) {
    Measured result;
    result.value = meanOfPresent(values, &result.heads);
    return result;
  }
  const Spread spread = spreadOf(values);
  return {spread.median, spread.count};
}

std::vector<std::size_t> allHeads(const ComparedModel& model) {
  std::vector<std::size_t> heads(model.heads.size());
  std::iota(heads.begin(), heads.end(), std::size_t{0});
  return heads;
}

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

ComparedColumn comparedColumn(const Comparison& comparison, const std::string& name) {
  const std::size_t index = comparison.metric(name);
  ComparedColumn found{describeMeasure(name), usesMedian(name), {}, modelIntervals(comparison, name), {}};
  for (const ComparedModel& model : comparison.models) {
    found.values.push_back(model.values[index]);
    found.intervals.push_back(modelInterval(*model.analysis, model.values[index], name, found.over));
  }
  return found;
}

IntervalOver modelIntervals(const Comparison& comparison, const std::string& column) {
  const bool examples = std::all_of(
      comparison.models.begin(), comparison.models.end(),
      [&](const auto& model) { return modelIntervals(*model.analysis, column) == IntervalOver::Examples; });
  return examples ? IntervalOver::Examples : usesMedian(column) ? IntervalOver::None : IntervalOver::Heads;
}

}  // namespace plastiscope
