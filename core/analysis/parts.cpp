#include "core/analysis/parts.h"

#include <algorithm>
#include <array>

#include "core/base/json.h"

namespace plastiscope {

namespace {

using Names = std::vector<std::string_view>;

// Settings that decide one part alone; all others decide both. pool_weights turns a, and with it the bias
// that bias_snr sets against the plasticity's content variance.
const Names kGeometrySettings = {"components",      "pca_sign",      "pca_rows",         "taxonomy",
                                 "taxonomy_low",    "taxonomy_high", "b_axis",           "planes",
                                 "active_omega_r2", "projections",   "vector_dimensions"};
const Names kPlasticitySettings = {"variance",         "pairs",        "pair_scope",    "max_distance",
                                   "prefix",           "orientation",  "bins",          "min_queries",
                                   "min_pairs",        "tau",          "weights",       "map_cell",
                                   "map_aggregation",  "length_edges", "decomposition", "anchor",
                                   "weights_constant", "diagnostics"};
// Settings of the intervals, which no other column depends on.
const Names kIntervalSettings = {"bootstrap", "interval", "jackknife_groups"};
// A default of views; no table depends on it.
const Names kNoPart = {"map_min_count"};

const Names kGeometryTables = {"components", "axes", "planes", "slopes", "projections"};
const Names kPlasticityTables = {
    "profile", "map",           "map_model", "component_weights", "component_weights_pairs", "bump_model",
    "lengths", "decomposition", "bump"};

// Of tables that hold columns of both parts, those that are no plasticity; places and counts are neither.
const Names kPlaces = {"layer", "head", "kv_head", "attention", "rope", "query_rows", "key_rows"};
const Names kGeometryColumns = {
    "taxonomy", "pc0_variance", "r_q", "r_k", "lin_frac_q", "lin_frac_k", "mu_q_a", "mu_k_a", "mu_q_b",
    "mu_k_b", "alpha_q", "alpha_k", "bias_strength", "bias_window", "bias_logit", "r_q_a", "r_k_a",
    "position_r", "slope_ratio", "separation_strength", "separation_strength_centroid",
    "separation_strength_eigenvector", "var_frac_a", "var_frac_b", "plane_var_fraction", "residual_pos_r",
    "content_var_b", "axis_b_angle",
    // diagnostics
    "fisher", "qk_accuracy", "mean_gap", "pooled_author_q", "pooled_author_k", "intercept_q",
    "slope_at_start", "slope_at_end", "plane_omega", "plane_omega_r2", "plane_rope_pair"};

bool holds(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

AnalysisParts changedParts(const AnalysisSettings& before, const AnalysisSettings& now) {
  AnalysisParts changed{false, false, false};
  const Json old = before.toJson(), wanted = now.toJson();
  for (const auto& [name, value] : wanted.items()) {
    if (old.value(name, Json()) == value || holds(kNoPart, name)) continue;
    changed.intervals = true;
    if (isOfIntervals(name)) continue;
    if (!holds(kPlasticitySettings, name)) changed.geometry = true;
    if (!holds(kGeometrySettings, name)) changed.plasticity = true;
  }
  // Corrected estimates are columns of both parts.
  const bool whole = now.estimate != "plain" || before.estimate != "plain";
  if (changed.intervals && (whole || (now.resamples() && (changed.geometry || changed.plasticity))))
    return {};
  return changed;
}

bool isOfIntervals(std::string_view setting) {
  return holds(kIntervalSettings, setting);
}

bool isComputed(std::string_view table, const AnalysisParts& computed) {
  return (computed.geometry || !holds(kGeometryTables, table)) &&
         (computed.plasticity || !holds(kPlasticityTables, table));
}

bool takeColumns(Table& fresh, const std::vector<Table>& earlier, const AnalysisParts& computed) {
  const Table* old = findTable(earlier, fresh.name);
  if (old == nullptr) return false;
  for (const char* place : {"layer", "head"}) {
    const Column* column = old->find(place);
    if (column == nullptr || column->values != ColumnValues(fresh.integers(place))) return false;
  }
  for (Column& column : fresh.columns) {
    if (holds(kPlaces, column.name)) continue;
    const bool isGeometry = holds(kGeometryColumns, column.name);
    if (isGeometry ? computed.geometry : computed.plasticity) continue;
    const Column* before = old->find(column.name);
    if (before == nullptr || before->values.index() != column.values.index()) return false;
    column.values = before->values;
  }
  return true;
}

}  // namespace plastiscope
