#include "core/compare/published_models.h"

#include <algorithm>
#include <string_view>

namespace plastiscope {

namespace {

constexpr const char *kPlasticity = kPlasticityTolerance, *kDrop = kDropTolerance,
                     *kVectors = kVectorTolerance, *kQueryRule = kQueryRuleTolerance;
constexpr const char* kEigenvector = "0.001 from the same vectors; published with b_axis eigenvector";

// Tables of mixed columns name one source a row: the columns that were read otherwise say so here
// (resources/reference/README.md).
constexpr PublishedNumber kNumbers[] = {
    {"model", "plasticity_models", "ap_overall", "ap_overall", kPlasticity},
    {"model", "plasticity_models", "ap_first20", "ap_first20", kPlasticity},
    {"model", "plasticity_models", "ap_last20", "ap_last20", kPlasticity},
    {"model", "plasticity_models", "ap_drop", "ap_drop", kDrop},
    {"model", "rotation_models", "bias_strength", "bias_strength", kVectors, "notes"},
    {"model", "rotation_models", "bn", "bias_window", kVectors, "derived"},
    {"model", "rotation_models", "abs_r_q_a", "abs_r_q_a", kVectors},
    {"model", "rotation_models", "abs_r_k_a", "abs_r_k_a", kVectors},
    {"model", "rotation_models", "var_frac_a", "var_frac_a", kVectors},
    {"model", "rotation_models", "var_frac_b", "var_frac_b", kEigenvector},
    {"model", "rotation_models", "plane_var_fraction", "plane_var_fraction", kEigenvector},
    {"model", "rotation_models", "median_slope_ratio", "slope_ratio", kVectors, "", true},
    {"model", "rotation_models", "separation_strength", "separation_strength_eigenvector", kVectors},
    {"model", "rotation_models", "alpha_k", "alpha_k", kVectors},
    {"checkpoint", "smollm3_checkpoints", "ap_overall", "ap_overall", kPlasticity},
    {"checkpoint", "smollm3_checkpoints", "ap_first20", "ap_first20", kPlasticity},
    {"checkpoint", "smollm3_checkpoints", "ap_last20", "ap_last20", kPlasticity, "notes"},
    {"checkpoint", "smollm3_checkpoints", "ap_drop", "ap_drop", kDrop},
    {"checkpoint", "smollm3_checkpoints", "bias_strength", "bias_strength", kVectors},
    {"checkpoint", "smollm3_checkpoints", "bn", "bias_window", kVectors, "derived"},
    {"checkpoint", "smollm3_checkpoints", "alpha_k", "alpha_k", kVectors},
    {"checkpoint", "smollm3_checkpoints", "mu_q_a", "mu_q_a", kVectors, "digitised"},
    {"checkpoint", "smollm3_checkpoints", "abs_r_k_a", "abs_r_k_a", kVectors},
    {"checkpoint", "smollm3_checkpoints", "separation_strength", "separation_strength_eigenvector", kVectors,
     "notes"},
    {"checkpoint", "smollm3_checkpoints", "plane_var_fraction", "plane_var_fraction", kEigenvector, "notes"},
    {"checkpoint", "smollm3_pca", "mean_r_q", "r_q", kQueryRule},
    {"checkpoint", "smollm3_pca", "mean_r_k", "r_k", kQueryRule},
    {"checkpoint", "smollm3_pca", "ev_pc0", "pc0_variance", kVectors},
};

}  // namespace

std::span<const PublishedNumber> publishedNumbers() {
  return kNumbers;
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
    const bool shown = std::any_of(models.begin(), models.end(), [&](const ReferenceModel& model) {
      return model.id == m_table.texts(m_key)[row];
    });
    if (shown) sources.push_back(m_table.texts("source")[row]);
  }
  return joinedSources(sources);
}

std::vector<ReferenceModel> publishedModels(PublishedModels which) {
  // Tables that hold exactly these models, in the thesis' order.
  const bool primary = which == PublishedModels::Primary;
  const Table table = referenceTable(primary ? "pca_depth" : "smollm3_checkpoints");
  std::vector<ReferenceModel> models;
  for (const std::string& id : table.texts(primary ? "model" : "checkpoint")) {
    if (models.empty() || models.back().id != id) models.push_back(requiredReferenceModel(id));
  }
  return models;
}

ComparedName publishedName(const ReferenceModel& model) {
  return {model.id, model.family};
}

}  // namespace plastiscope
