#pragma once
// What every number of an analysis is called, how it is coloured and what it means: for menus, grids, tables
// and tool tips. The list itself stands in core/analysis/tables/.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/columns.h"
#include "core/base/table.h"

namespace plastiscope {

// The numbers of heads.csv, in their order.
std::span<const MetricInfo> metricList();
// The list's entry, one made of it (ap_drop_low), or a plain one made from the column's name.
MetricInfo describeMetric(std::string_view column);

// The numeric columns of a heads table that can colour a grid (not layer, head, kv_head).
std::vector<MetricInfo> metricsOf(const Table& heads);

// One of them; UsageError names the nearest column otherwise.
MetricInfo requiredMetric(const Table& heads, const std::string& column);

// "0.536", "−0.0021", "1.33e−4", "69.3", "2,051"; "–" when missing: three significant digits, whole numbers
// in full, real minus sign.
std::string metricText(double value);
// The same with three decimals where the metric has limits, so that values beside each other look alike.
std::string metricText(double value, const MetricInfo& metric);
// Decimals that show two digits of the largest of some numbers, at least three: no difference reads 0.000.
int differenceDecimals(double largest);
// "−0.75": so many decimals, real minus sign, "–" when missing; never "−0.00".
std::string fixedText(double value, int decimals);

}  // namespace plastiscope
