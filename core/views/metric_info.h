#pragma once
// Names, colours and descriptions of the numbers of an analysis, for menus, grids, tables and tool tips. The
// list is in core/analysis/tables/.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/columns.h"
#include "core/base/table.h"

namespace plastiscope {

// The numbers of heads.csv, in their order.
std::span<const MetricInfo> metricList();
// The list's entry, one derived from it (ap_drop_low), or a plain one with the column's name.
MetricInfo describeMetric(std::string_view column);

// The numeric columns of a heads table that can colour a grid (not layer, head, kv_head).
std::vector<MetricInfo> metricsOf(const Table& heads);

// For a head score that an analysis lacks: that its capture has none; "" for other columns.
std::string missingScore(std::string_view column);

// One of them; UsageError names the nearest column otherwise.
MetricInfo requiredMetric(const Table& heads, const std::string& column);

// Three significant digits, integers in full, real minus sign, "–" when missing: "0.536", "−0.0021",
// "1.33e−4", "69.3", "2,051".
std::string metricText(double value);
// The same with three decimals where the metric is bounded, so that adjacent values align.
std::string metricText(double value, const MetricInfo& metric);
// Decimals that show two digits of the largest difference, at least three, so that none reads 0.000.
int differenceDecimals(double largest);
// "−0.75": a fixed number of decimals, real minus sign, "–" when missing; never "−0.00".
std::string fixedText(double value, int decimals);

}  // namespace plastiscope
