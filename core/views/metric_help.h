#pragma once
// The metric catalogue as text: for the command line and for resources/help/metrics.md.
#include <string>

#include "core/analysis/columns.h"
#include "core/base/json_value.h"

namespace plastiscope {

// Plain words: <i>, <sub> and <sup> of a label taken away.
std::string plainLabel(const std::string& label);

// A few lines about one column.
std::string metricLines(const MetricInfo& metric);
Json metricJson(const MetricInfo& metric);

// The page of all tables and columns.
std::string metricsMarkdown(const MetricCatalogue& catalogue);

}  // namespace plastiscope
