#include "core/compare/published_numbers.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace plastiscope {

namespace {

constexpr const char *kPlasticity = kPlasticityTolerance, *kDrop = kDropTolerance,
                     *kVectors = kVectorTolerance, *kQueryRule = kQueryRuleTolerance;
constexpr const char* kEigenvector = "0.001 from the same vectors; published with b_axis eigenvector";

// Tables state one source per row; columns with another source name it here (resources/reference/README.md).
constexpr PublishedNumber kNumbers[] = {
    {"plasticity_models", "ap_overall", "ap_overall", kPlasticity},
    {"plasticity_models", "ap_first20", "ap_first20", kPlasticity},
    {"plasticity_models", "ap_last20", "ap_last20", kPlasticity},
    {"plasticity_models", "ap_drop", "ap_drop", kDrop},
    {"rotation_models", "bias_strength", "bias_strength", kVectors, "notes"},
    {"rotation_models", "bn", "bias_window", kVectors, "derived"},
    {"rotation_models", "abs_r_q_a", "abs_r_q_a", kVectors},
    {"rotation_models", "abs_r_k_a", "abs_r_k_a", kVectors},
    {"rotation_models", "var_frac_a", "var_frac_a", kVectors},
    {"rotation_models", "var_frac_b", "var_frac_b", kEigenvector},
    {"rotation_models", "plane_var_fraction", "plane_var_fraction", kEigenvector},
    {"rotation_models", "median_slope_ratio", "slope_ratio", kVectors, "", true},
    {"rotation_models", "separation_strength", "separation_strength_eigenvector", kVectors},
    {"rotation_models", "alpha_k", "alpha_k", kVectors},
    {"smollm3_checkpoints", "ap_overall", "ap_overall", kPlasticity},
    {"smollm3_checkpoints", "ap_first20", "ap_first20", kPlasticity},
    {"smollm3_checkpoints", "ap_last20", "ap_last20", kPlasticity, "notes"},
    {"smollm3_checkpoints", "ap_drop", "ap_drop", kDrop},
    {"smollm3_checkpoints", "bias_strength", "bias_strength", kVectors},
    {"smollm3_checkpoints", "bn", "bias_window", kVectors, "derived"},
    {"smollm3_checkpoints", "alpha_k", "alpha_k", kVectors},
    {"smollm3_checkpoints", "mu_q_a", "mu_q_a", kVectors, "digitised"},
    {"smollm3_checkpoints", "abs_r_k_a", "abs_r_k_a", kVectors},
    {"smollm3_checkpoints", "separation_strength", "separation_strength_eigenvector", kVectors, "notes"},
    {"smollm3_checkpoints", "plane_var_fraction", "plane_var_fraction", kEigenvector, "notes"},
    {"smollm3_pca", "mean_r_q", "r_q", kQueryRule},
    {"smollm3_pca", "mean_r_k", "r_k", kQueryRule},
    {"smollm3_pca", "ev_pc0", "pc0_variance", kVectors},
};

constexpr PublishedSeries kQuintiles{"plasticity_quintiles", "quintile", "ap", "ap_quintile_", kPlasticity},
    kDeciles{"plasticity_deciles", "decile", "ap", "ap_decile_", kPlasticity};
constexpr PublishedSeries kSeries[] = {
    kQuintiles,
    kDeciles,
    {"rotation_depth", "depth_decile", "abs_r_k_a", "abs_r_k_a", kVectors, true},
    {"rotation_depth", "depth_decile", "bias_strength", "bias_strength", kVectors, true},
    {"pca_depth", "depth_decile", "r_q", "r_q", kQueryRule, true},
    {"pca_depth", "depth_decile", "r_k", "r_k", kQueryRule, true},
    {"smollm3_depth", "depth_decile", "r_q", "r_q", kQueryRule, true},
    {"smollm3_depth", "depth_decile", "r_k", "r_k", kQueryRule, true},
};

// ---- Curves

ReferenceModel referenceModel(std::string_view modelId) {
  for (const ReferenceModel& model : referenceModels()) {
    if (model.id == modelId) return model;
  }
  return {std::string(modelId), "", std::string(modelId), 0, 0};
}

void describe(ReferenceCurve& curve, std::string_view modelId, const std::string& source) {
  const ReferenceModel model = referenceModel(modelId);
  curve.label = "thesis: " + model.title;
  curve.window = model.window;
  curve.source = source;
  curve.accuracy = accuracyOf(source);
}

// The present values of a model in a column; place(row) gives x.
template <typename Place>
ReferenceCurve curveOf(const Table& table, const char* column, std::string_view modelId, const Place& place) {
  ReferenceCurve curve;
  const std::vector<double>& values = table.numbers(column);
  for (const std::size_t row : rowsOfModel(table, modelId)) {
    if (std::isnan(values[row])) continue;
    if (curve.empty()) describe(curve, modelId, table.texts("source")[row]);
    curve.x.push_back(place(row));
    curve.y.push_back(values[row]);
  }
  return curve;
}

// Deciles of the window count from 1, those of the depth from 0; quintiles use their number as x.
ReferenceCurve seriesCurve(const PublishedSeries& series, std::string_view modelId) {
  const Table table = referenceTable(series.table);
  const std::vector<double>& index = table.numbers(series.index);
  const bool decile = std::string_view(series.index) == kDeciles.index;
  return curveOf(table, series.column, modelId, [&](std::size_t row) {
    return series.byDepth ? (index[row] + 0.5) / 10 : decile ? (index[row] - 0.5) / 10 : index[row];
  });
}

}  // namespace

std::span<const PublishedNumber> publishedNumbers() {
  return kNumbers;
}

std::span<const PublishedSeries> publishedSeries() {
  return kSeries;
}

std::string joinedSources(const std::vector<std::string>& sources) {
  constexpr std::string_view kBetween = ", ";
  std::vector<std::string> seen;
  std::string joined;
  for (const std::string& source : sources) {
    for (std::size_t from = 0; from <= source.size();) {
      const std::size_t end = std::min(source.find(kBetween, from), source.size());
      const std::string part = source.substr(from, end - from);
      from = end + kBetween.size();
      if (std::find(seen.begin(), seen.end(), part) != seen.end()) continue;
      seen.push_back(part);
      joined += (joined.empty() ? "" : ", ") + part;
    }
  }
  return joined;
}

std::string PublishedTable::sources(const std::vector<ReferenceModel>& models) const {
  std::vector<std::string> sources;
  for (std::size_t row = 0; row < m_table.rows(); ++row) {
    const std::string& id = m_table.texts(modelColumn(m_table))[row];
    if (std::ranges::count(models, id, &ReferenceModel::id) > 0)
      sources.push_back(m_table.texts("source")[row]);
  }
  return joinedSources(sources);
}

std::vector<ReferenceModel> publishedModels(PublishedModels which) {
  // Tables with exactly these models, in the thesis' order.
  const Table table = referenceTable(which == PublishedModels::Primary ? "pca_depth" : "smollm3_checkpoints");
  std::vector<ReferenceModel> models;
  for (const std::string& id : table.texts(modelColumn(table))) {
    if (models.empty() || models.back().id != id) models.push_back(requiredReferenceModel(id));
  }
  return models;
}

double ReferenceCurve::at(double place) const {
  const auto found = std::ranges::find(x, place);
  return found == x.end() ? kMissing : y[static_cast<std::size_t>(found - x.begin())];
}

ReferenceCurve referenceProfile(std::string_view modelId) {
  if (ReferenceCurve deciles = seriesCurve(kDeciles, modelId); !deciles.empty()) return deciles;
  const auto window = static_cast<double>(referenceModel(modelId).window);
  const Table table = referenceTable("smollm3_position");
  const auto &from = table.numbers("position_from"), &to = table.numbers("position_to");
  return curveOf(table, "ap", modelId, [&](std::size_t row) { return (from[row] + to[row]) / 2 / window; });
}

ReferenceCurve referenceQuintiles(std::string_view modelId) {
  return seriesCurve(kQuintiles, modelId);
}

ReferenceCurve referenceDepth(std::string_view modelId, std::string_view column) {
  for (const PublishedSeries& series : kSeries) {
    if (!series.byDepth || column != series.column) continue;
    if (ReferenceCurve curve = seriesCurve(series, modelId); !curve.empty()) return curve;
  }
  return {};
}

ReferenceCurve referenceNumber(std::string_view modelId, std::string_view metric) {
  for (const PublishedNumber& number : kNumbers) {
    if (metric != number.metric) continue;
    ReferenceCurve curve =
        curveOf(referenceTable(number.table), number.column, modelId, [](std::size_t) { return 0.0; });
    if (curve.empty()) continue;
    if (*number.source != '\0') describe(curve, modelId, number.source);
    curve.accuracy += std::string("; two runs may differ by ") + number.tolerance;
    return curve;
  }
  return {};
}

}  // namespace plastiscope
