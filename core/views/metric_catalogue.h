#pragma once
// resources/help/metrics.json, built into the program: what every column of every table of an analysis means.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/views/metric_info.h"

namespace plastiscope {

struct TableInfo {
  std::string name, rows, text;  // rows: "one row a head"
};

// A column made of another one: ap_drop_low, r_q_heads.
struct MetricSuffix {
  std::string suffix, title, meaning;  // title: with {title}
  bool isCount = false;
};

struct MetricCatalogue {
  std::vector<TableInfo> tables;
  std::vector<MetricInfo> metrics;  // numbered ones (ap_decile_#) one by one, open ones (x#) once
  std::vector<MetricSuffix> suffixes;

  const TableInfo* table(std::string_view name) const;
  // The entry of a table's column; for columns that summaries make of those of heads.csv, and for suffixes,
  // one made from the entry of the base.
  std::optional<MetricInfo> find(std::string_view table, std::string_view column) const;
};

const MetricCatalogue& metricCatalogue();

}  // namespace plastiscope
