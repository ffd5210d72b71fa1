#pragma once
// The metric catalogue as text: for the command line and for resources/help/metrics.md.
#include <string>

#include "core/analysis/columns.h"
#include "core/base/json_value.h"

namespace plastiscope {

// A label without its tags <i>, <sub> and <sup>.
std::string plainLabel(const std::string& label);

// Describes one column in a few lines.
std::string metricLines(const MetricInfo& metric);
Json metricJson(const MetricInfo& metric);

// The help page of all tables and columns.
std::string metricsMarkdown(const MetricCatalogue& catalogue);

}  // namespace plastiscope
