#pragma once
// Data of bar charts: a metric by model, or r by principal component.
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/compare/compared_profiles.h"
#include "core/views/components_data.h"
#include "core/views/head_interval.h"
#include "core/views/metric_info.h"

namespace plastiscope {

struct BarSeries {
  std::string name;                      // in the table: "r_q"
  std::string title;                     // rich text
  std::vector<double> value;             // [places]
  std::vector<double> low, high;         // [places] whiskers; empty = none
  std::vector<std::int64_t> heads;       // [places]; empty if not known
  std::vector<Interval> intervals = {};  // [places] of the value, 95 %; empty if not known
};

// Meaning of the bars' colours: query and key, the model's family, or none.
enum class BarColours { Kinds, Families, Plain };

struct BarData {
  std::string place;  // label below the bars: "model", "component"
  MetricInfo metric;  // of the axis
  BarColours colours = BarColours::Plain;
  std::vector<ComparedName> places;
  std::vector<std::int64_t> windows;  // [places] tokens; empty for components
  std::vector<BarSeries> series;
  IntervalOver over = IntervalOver::None;
  std::vector<double> levels;  // drawn dashed
  bool percent = false;        // shares, with their value above the bar
  std::string published;       // source of published numbers; "" for own ones
};

// Mean over heads with the interquartile range (p25, p75); slope_ratio: median, and a level at 1.
BarData makeModelBars(const Comparison& comparison, const std::string& metric);
// Mean |r_q_a| and |r_k_a| of every model, with the classes' thresholds as levels.
BarData makeSignalBars(const Comparison& comparison);
MetricInfo signalMetric();  // of makeSignalBars()
// Mean r of queries and keys, or the explained variance, by principal component.
BarData componentSignalBars(const ComponentsData& data);
BarData componentVarianceBars(const ComponentsData& data);

// Columns: PLACE, series, value, low, high, heads, value_low, value_high, interval_over
Table tableOf(const BarData& data);

}  // namespace plastiscope
