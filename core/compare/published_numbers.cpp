#include "core/compare/published_numbers.h"

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

}  // namespace plastiscope
