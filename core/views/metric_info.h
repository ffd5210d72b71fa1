#pragma once
// What every number of an analysis is called, how it is coloured and what it means: one list for menus,
// grids, tables, tool tips and help. The list itself is data: resources/help/metrics.json.
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

struct MetricInfo {
  std::string column;     // of a table
  std::string title;      // plain words for menus: "AP drop"
  std::string label;      // with <sub>, <sup> and <i>, for axes and cards: "AP<sub>drop</sub>"
  std::string unit;       // "" = a pure number
  std::string group;      // "Plasticity", "Position axis", ...: sections of menus and cards
  bool isSigned = false;  // diverging colours around zero, symmetric range
  std::optional<std::pair<double, double>> range;  // natural limits of the quantity, when it has any
  std::string meaning;                             // one sentence
  std::string caveat;                              // what to beware of; may be empty
  std::string formula;                             // plain text; may be empty
  std::string sign;                                // what positive means; for signed numbers
  std::vector<std::string> tables;                 // that have the column, its home first
};

// The numbers of heads.csv, in their order.
std::span<const MetricInfo> metricList();
// nullptr for a column of heads.csv that the list does not know.
const MetricInfo* findMetric(std::string_view column);
// The list's entry, one made of it (ap_drop_low), or a plain one made from the column's name.
MetricInfo describeMetric(std::string_view column);

// The numeric columns of a heads table that can colour a grid (not layer, head, kv_head).
std::vector<MetricInfo> metricsOf(const Table& heads);

// One of them; UsageError names the nearest column otherwise.
MetricInfo requiredMetric(const Table& heads, const std::string& column);

// "0.536", "−0.0021", "1.33e−4", "69.3", "2,051"; "–" when missing: three significant digits, whole numbers
// in full, real minus sign.
std::string metricText(double value);
// "−0.75": so many decimals, real minus sign, "–" when missing; never "−0.00".
std::string fixedText(double value, int decimals);

}  // namespace plastiscope
