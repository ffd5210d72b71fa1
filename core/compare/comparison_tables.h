#pragma once
// The tables of `plastiscope-cli compare` (resources/help/comparing.md). Adding one = its own function + one
// line in comparison_tables.cpp. Missing values are empty, never 0.
#include <span>

#include "core/base/table.h"
#include "core/compare/comparison.h"

namespace plastiscope {

struct ComparisonTable {
  const char* name;
  const char* content;  // one line, for help and menus
  Table (*make)(const Comparison&);
};
std::span<const ComparisonTable> comparisonTables();

// model, family, ..., and for every metric METRIC (mean), METRIC_sd, METRIC_p25, METRIC_p75, METRIC_heads
Table modelsTable(const Comparison& comparison);
Table familiesTable(const Comparison& comparison);       // family, models, METRIC, METRIC_models
Table depthTable(const Comparison& comparison);          // model, depth_decile, heads, METRIC, METRIC_heads
Table relativeDepthTable(const Comparison& comparison);  // model, relative_depth, METRIC
// index, model, metric, mean, sd, p25, p75, median, heads, change_first, change_previous
Table trajectoryTable(const Comparison& comparison);
Table pairedHeadsTable(const Comparison& comparison);  // layer, head, metric, NAME ..., NAME_difference ...
// metric, against, heads, first_mean, mean, mean_difference, sd, standard_error, low, high, pearson,
// spearman, rose_share
Table pairedTable(const Comparison& comparison);
Table profilesTable(
    const Comparison& comparison);  // model, bin, start, end, tau, relative_position, ap, heads
// ranges, from, to, model, reached, ap, heads
Table equalPositionsTable(const Comparison& comparison);
Table recoveryTable(const Comparison& comparison);  // model, d1 ... d10, dip, recovery, collapse, recovers
// against, distance_cell, midpoint_cell, pp_first, pp, difference, pairs_first, pairs
Table mapDifferenceTable(const Comparison& comparison);
Table settingsDifferencesTable(const Comparison& comparison);  // group, setting, NAME ...

}  // namespace plastiscope
