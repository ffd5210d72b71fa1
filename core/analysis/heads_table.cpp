// heads.csv: one visible list of columns.
#include <algorithm>
#include <functional>

#include "core/analysis/bootstrap.h"
#include "core/analysis/tables.h"

namespace plastiscope {

namespace {

struct IntegerColumn {
  const char* name;
  std::int64_t (*value)(const HeadResult&);
};
struct TextColumn {
  const char* name;
  std::string (*value)(const HeadResult&);
};
struct NumberColumn {
  std::string name;
  std::function<double(const HeadResult&)> value;
};

constexpr IntegerColumn kPlace[] = {
    {"layer", [](const HeadResult& h) { return h.place.layer; }},
    {"head", [](const HeadResult& h) { return h.place.head; }},
    {"kv_head", [](const HeadResult& h) { return h.place.kvHead; }},
};
constexpr TextColumn kKind[] = {
    {"attention", [](const HeadResult& h) { return h.place.attention; }},
    {"rope", [](const HeadResult& h) { return std::string(h.place.rope ? "true" : "false"); }},
};
constexpr IntegerColumn kRows[] = {
    {"query_rows", [](const HeadResult& h) { return h.queryRows; }},
    {"key_rows", [](const HeadResult& h) { return h.keyRows; }},
};
constexpr TextColumn kTaxonomy[] = {
    {"taxonomy", [](const HeadResult& h) { return h.pca.taxonomy; }},
};

double firstOf(const std::vector<double>& values) {
  return values.empty() ? kMissing : values.front();
}

std::vector<NumberColumn> componentColumns() {
  return {
      {"pc0_variance", [](const HeadResult& h) { return firstOf(h.pca.explainedVarianceRatio); }},
      {"r_q", [](const HeadResult& h) { return firstOf(h.pca.rQuery); }},
      {"r_k", [](const HeadResult& h) { return firstOf(h.pca.rKey); }},
      {"lin_frac_q", [](const HeadResult& h) { return h.pca.linFracQuery; }},
      {"lin_frac_k", [](const HeadResult& h) { return h.pca.linFracKey; }},
  };
}

std::vector<NumberColumn> rotationColumns() {
  struct Entry {
    const char* name;
    double RotationResult::*value;
  };
  static constexpr Entry kEntries[] = {
      {"mu_q_a", &RotationResult::muQueryA},
      {"mu_k_a", &RotationResult::muKeyA},
      {"mu_q_b", &RotationResult::muQueryB},
      {"mu_k_b", &RotationResult::muKeyB},
      {"alpha_q", &RotationResult::alphaQuery},
      {"alpha_k", &RotationResult::alphaKey},
      {"bias_strength", &RotationResult::biasStrength},
      {"bias_window", &RotationResult::biasWindow},
      {"bias_logit", &RotationResult::biasLogit},
      {"r_q_a", &RotationResult::rQueryA},
      {"r_k_a", &RotationResult::rKeyA},
      {"position_r", &RotationResult::positionR},
      {"slope_ratio", &RotationResult::slopeRatio},
      {"separation_strength", &RotationResult::separation},
      {"separation_strength_centroid", &RotationResult::separationCentroid},
      {"separation_strength_eigenvector", &RotationResult::separationEigenvector},
      {"var_frac_a", &RotationResult::varFracA},
      {"var_frac_b", &RotationResult::varFracB},
      {"plane_var_fraction", &RotationResult::planeVarFraction},
      {"residual_pos_r", &RotationResult::residualPositionR},
      {"content_var_b", &RotationResult::contentVarB},
      {"axis_b_angle", &RotationResult::axisBAngle},
  };
  std::vector<NumberColumn> columns;
  for (const Entry& entry : kEntries) {
    columns.push_back({entry.name, [value = entry.value](const HeadResult& h) { return h.rotation.*value; }});
  }
  return columns;
}

std::vector<NumberColumn> plasticityColumns() {
  std::vector<NumberColumn> columns = {
      {"beta_norm", [](const HeadResult& h) { return h.model.betaNorm; }},
      {"r2_pos", [](const HeadResult& h) { return h.model.r2Position; }},
      {"sigma_pos2", [](const HeadResult& h) { return h.model.sigmaPosition2; }},
      {"ap_overall", [](const HeadResult& h) { return h.summary.overall; }},
      {"ap_first20", [](const HeadResult& h) { return h.summary.first20.ap; }},
      {"ap_last20", [](const HeadResult& h) { return h.summary.last20.ap; }},
      {"ap_drop", [](const HeadResult& h) { return h.summary.drop; }},
  };
  for (std::size_t k = 0; k < 5; ++k) {
    columns.push_back({"ap_quintile_" + std::to_string(k + 1),
                       [k](const HeadResult& h) { return h.summary.quintiles[k].ap; }});
  }
  for (std::size_t k = 0; k < 10; ++k) {
    columns.push_back(
        {"ap_decile_" + std::to_string(k + 1), [k](const HeadResult& h) { return h.summary.deciles[k].ap; }});
  }
  return columns;
}

// One value a head.
template <typename Value, typename Get>
Column columnOf(const std::string& name, const std::vector<HeadResult>& heads, const Get& get) {
  std::vector<Value> values;
  values.reserve(heads.size());
  for (const HeadResult& head : heads) values.push_back(get(head));
  return {name, std::move(values)};
}

// Where the heads have corrected estimates, they take the place of the columns that are sampled.
void putCorrected(Table& table, const std::vector<HeadResult>& heads) {
  if (heads.empty() || heads.front().corrected.empty()) return;
  const std::vector<std::string> names = sampledColumns();
  for (std::size_t c = 0; c < names.size(); ++c) {
    std::vector<double> values;
    for (const HeadResult& head : heads) values.push_back(head.corrected[c]);
    const auto column = std::ranges::find(table.columns, names[c], &Column::name);
    column->values = std::move(values);
  }
}

}  // namespace

Table headsTable(const std::vector<HeadResult>& heads) {
  Table table{"heads", {}};
  const auto add = [&]<typename Value>(const auto& columns, Value) {
    for (const auto& column : columns)
      table.columns.push_back(columnOf<Value>(column.name, heads, column.value));
  };
  add(kPlace, std::int64_t{});
  add(kKind, std::string{});
  add(kRows, std::int64_t{});
  add(kTaxonomy, std::string{});
  add(componentColumns(), double{});
  add(rotationColumns(), double{});
  add(plasticityColumns(), double{});
  putCorrected(table, heads);
  return table;
}

}  // namespace plastiscope
