#pragma once
// What every number of heads.csv is called, how it is coloured and what it means: one list for menus, grids,
// tables, tool tips and help. Facts from method.md.
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

struct MetricInfo {
  std::string column;     // of heads.csv
  std::string title;      // plain words for menus: "AP drop"
  std::string label;      // with <sub>, <sup> and <i>, for axes and cards: "AP<sub>drop</sub>"
  std::string unit;       // "" = a pure number
  std::string group;      // "Plasticity", "Position axis", ...: sections of menus and cards
  bool isSigned = false;  // diverging colours around zero, symmetric range
  std::optional<std::pair<double, double>> range;  // natural limits of the quantity, when it has any
  std::string meaning;                             // one sentence
  std::string caveat;                              // what to beware of; may be empty
};

// In the order of heads.csv.
std::span<const MetricInfo> metricList();
// nullptr for a column that the list does not know.
const MetricInfo* findMetric(std::string_view column);
// The list's entry, or a plain one made from the column's name (options may add columns).
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
