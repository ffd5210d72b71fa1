#pragma once
// The tables of `plastiscope-cli compare` (resources/help/comparing.md). To add one: its function and an
// entry in comparison_tables.cpp. Missing values are empty, never 0.
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
// index, model, metric, mean, sd, p25, p75, median, heads, change_first, change_previous, each change with
// _low and _high, interval_over
Table trajectoryTable(const Comparison& comparison);
Table pairedHeadsTable(const Comparison& comparison);  // layer, head, metric, NAME ..., NAME_difference ...
// metric, against, heads, first_mean, mean, mean_difference, sd, standard_error, low, high, pearson,
// spearman, rose_share, interval_over, p, p_adjusted (max-T over the metrics of a pair), equivalent_p,
// verdict
Table pairedTable(const Comparison& comparison);
// layer, head, metric (the ap_aligned family), against, difference, low, high, interval_over, p, p_adjusted
// (max-T over heads), verdict
Table pairedHeadTestsTable(const Comparison& comparison);
Table profilesTable(
    const Comparison& comparison);  // model, bin, start, end, tau, relative_position, ap, heads
// ranges, from, to, model, reached, ap, heads
Table equalPositionsTable(const Comparison& comparison);
Table recoveryTable(const Comparison& comparison);  // model, d1 ... d10, dip, recovery, collapse, recovers
// against, distance_cell, midpoint_cell, pp_first, pp, difference, pairs_first, pairs
Table mapDifferenceTable(const Comparison& comparison);
Table settingsDifferencesTable(const Comparison& comparison);  // group, setting, NAME ...

}  // namespace plastiscope
