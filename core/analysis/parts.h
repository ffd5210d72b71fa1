#pragma once
// Which part of an analysis a setting decides and which tables a part fills, so that a change of settings
// computes only what it changes and takes the rest from an earlier analysis of the same capture.
#include <string_view>
#include <vector>

#include "core/analysis/settings.h"
#include "core/base/table.h"

namespace plastiscope {

// Whether each part is to be computed.
struct AnalysisParts {
  bool geometry = true;    // components, plane {a, b}, complement planes
  bool plasticity = true;  // query model, pairs, maps, aggregates
  bool intervals = true;   // columns that resamples add
  bool all() const { return geometry && plasticity; }
  bool none() const { return !geometry && !plasticity && !intervals; }
};

// What has to be computed when `before` was analysed and `now` is wanted. Everything where a setting that
// both parts depend on differs, or where intervals are wanted and more than those differs.
AnalysisParts changedParts(const AnalysisSettings& before, const AnalysisSettings& now);

// Whether a setting decides about intervals alone, so that no value depends on it.
bool isOfIntervals(std::string_view setting);

// Whether the whole of a table comes of a computed part; true for tables that are made of others' columns.
bool isComputed(std::string_view table, const AnalysisParts& computed);

// Gives `fresh` (heads or diagnostics) the columns of the parts that were not computed from the table of the
// same name in `earlier`. False, when that table has other heads or lacks a column.
bool takeColumns(Table& fresh, const std::vector<Table>& earlier, const AnalysisParts& computed);

}  // namespace plastiscope
