#pragma once
// Metrics as text: the catalogue for the command line and for resources/help/metrics.md, and the heads of an
// analysis for HeadVis.
#include <string>

#include "core/analysis/columns.h"
#include "core/base/json_value.h"
#include "core/store/analysis_file.h"
#include "core/store/output_place.h"

namespace plastiscope {

// A label without its tags <i>, <sub> and <sup>.
std::string plainLabel(const std::string& label);

// Describes one column in a few lines.
std::string metricLines(const MetricInfo& metric);
Json metricJson(const MetricInfo& metric);

// The help page of all tables and columns.
std::string metricsMarkdown(const MetricCatalogue& catalogue);

// --- Heads for HeadVis, Anthropic's viewer of attention heads, in the formats of its
// data_pipeline.py: scatter_data.json, a list with one flat object per head, and config.json.

// [{"layer": 0, "head": 1, COLUMN: number, ...}, ...]: every number of heads.csv under its name, one line per
// head in the order of heads.csv. Missing numbers are left out.
std::string headVisRows(const AnalysisFile& analysis);
OutputKind headVisRowsOutput();

// The model, its heads, and the metrics of those rows with their descriptions. An analysis has no sequences,
// attention patterns or projections: the config only has the name pattern of their files.
std::string headVisConfig(const AnalysisFile& analysis);
OutputKind headVisConfigOutput();

}  // namespace plastiscope
