// heads.csv: one row per head with all its single values.
#include <string>

#include "core/analysis/reach.h"
#include "core/analysis/tables/definitions.h"

namespace plastiscope {

namespace {

bool hasPlacement(const HeadResult& head) {
  return head.placement.has_value();
}
bool hasSalience(const HeadResult& head) {
  return head.salience.has_value();
}
bool hasSoftmax(const HeadResult& head) {
  return head.softmax.has_value();
}

// Columns of --placement and --salience, with intervals over texts.
TableColumn ofPlacement(const char* name, double (*value)(Row), MetricInfo info) {
  return whereMade(overTexts(realColumn(name, value, std::move(info))), hasPlacement);
}
TableColumn ofSalience(const char* name, double (*value)(Row), MetricInfo info) {
  return whereMade(overTexts(realColumn(name, value, std::move(info))), hasSalience);
}
// Columns of heads of --dense.
TableColumn ofSoftmax(const char* name, double (*value)(Row), MetricInfo info) {
  return whereMade(overTexts(realColumn(name, value, std::move(info))), hasSoftmax);
}

// Share of the variance of queries or keys due to the rotation of the mean row with position.
void addPositionShares(AnalysisTable& table, const std::string& ending, const std::string& rows,
                       double (*variance)(Row), double (*linear)(Row)) {
  const auto add = [&table](const std::string& name, double (*value)(Row), MetricInfo info) {
    table.add(AnalysisStage::Plasticity, {withoutInterval(ofSalience(name.c_str(), value, std::move(info)))});
  };
  add("position_variance_" + ending, variance,
      {"Position share of " + rows, "", "", "Salience", kNoRange,
       "Variance of the mean un-rotated row put at each position, over the variance of the " + rows + ".",
       "Var(R(t) m) / Var(x)", "Without RoPE it is 0."});
  add("position_linear_" + ending, linear,
      {"Linear position share of " + rows, "", "", "Salience", kNoRange,
       "The part of it that is linear in position.", "|Cov(R(t) m, t)|² / (Var(t) Var(x))"});
}

double firstOf(const Numbers& values) {
  return values.empty() ? kMissing : values.front();
}

}  // namespace

AnalysisTable headsDefinition() {
  AnalysisTable table{"heads", "one row per captured query head", "Single-number metrics of each head.",
                      AnalysisStage::None, oneRow};
  table.add(
      AnalysisStage::None,
      {integerColumn("layer", [](Row r) { return r.head.place.layer; },
                     {"Layer", "", "", "Place", kNoRange, "Layer of the model, from 0."}),
       integerColumn("head", [](Row r) { return r.head.place.head; },
                     {"Query head", "", "", "Place", kNoRange, "Query head within its layer, from 0."}),
       integerColumn("kv_head", [](Row r) { return r.head.place.kvHead; },
                     {"Key head", "", "", "Place", kNoRange, "Key head that serves the query head, from 0.",
                      "⌊head / (query heads / key heads)⌋"}),
       wordColumn("attention", [](Row r) { return r.head.place.attention; },
                  {"Attention", "", "", "Place", kNoRange,
                   "Kind of attention of the layer: full, sliding or cross."}),
       wordColumn("rope", [](Row r) { return yesNo(r.head.place.rope); },
                  {"RoPE", "", "", "Place", kNoRange,
                   "Whether the layer rotates queries and keys with position (RoPE): true or false."}),
       integerColumn("query_rows", [](Row r) { return r.head.queryRows; },
                     {"Query rows", "query rows", "", "Rows", kNoRange,
                      "Captured query vectors of this head that the analysis used."}),
       integerColumn("key_rows", [](Row r) { return r.head.keyRows; },
                     {"Key rows", "key rows", "", "Rows", kNoRange,
                      "Captured key vectors of the key head that serves this query head.", "",
                      "Query heads of one group share them."})});
  table.add(
      AnalysisStage::Geometry,
      {wordColumn("taxonomy", [](Row r) { return r.head.pca.taxonomy; },
                  {"Class", "", "", "Principal components", kNoRange,
                   "Class of the head by how its queries and keys move with position on the first component.",
                   "by |r_Q| and |r_K| on PC0 against 0.3 and 0.7",
                   "The printed percentages of the thesis come from the 5-class rule (taxonomy notes)."}),
       realColumn(
           "pc0_variance", [](Row r) { return firstOf(r.head.pca.explainedVarianceRatio); },
           {"PC0 variance", "", "", "Principal components", kShare,
            "Share of the pooled variance of queries and keys on the first principal component.", "λ₀ / Σ λ",
            "The first component mixes the offset between queries and keys with position."}),
       realColumn("r_q", [](Row r) { return firstOf(r.head.pca.rQuery); },
                  {"r of queries on PC0", "<i>r</i><sub>Q</sub>", "", "Principal components", kSignedShare,
                   "Correlation of the queries' PC0 coordinate with their position.", "Pearson(Q·v₀, t_Q)",
                   kSignOnly, kBySignRule}),
       realColumn(
           "r_k", [](Row r) { return firstOf(r.head.pca.rKey); },
           {"r of keys on PC0", "<i>r</i><sub>K</sub>", "", "Principal components", kSignedShare,
            "Correlation of the keys' PC0 coordinate with their position.", "Pearson(K·v₀, t_K)",
            "A signed mean over heads hides heads whose queries and keys drift apart.", kBySignRule})});
  table.add(AnalysisStage::Geometry,
            ofBothKinds(
                "lin_frac_{q}", [](Row r) { return r.head.pca.linFracQuery; },
                [](Row r) { return r.head.pca.linFracKey; },
                {"Linear share of {queries}", "linear share {Q}", "", "Principal components", kShare,
                 "Share of the {queries}' variance that is linear in position, in any direction.",
                 "|Cov({q}, t)|² / (Var(t_{Q}) · tr Cov({q}))"}));
  table.add(
      AnalysisStage::Geometry,
      ofBothKinds(
          "mu_{q}_a", [](Row r) { return r.head.rotation.muQueryA; },
          [](Row r) { return r.head.rotation.muKeyA; },
          {"Mean {query} on a", "<i>μ</i><sub>{Q}</sub><sup>a</sup>", "activation", "Position axis", kNoRange,
           "Mean of the {queries} along the position axis a.", "a · mean({q})", "", kAlongA}));
  table.add(AnalysisStage::Geometry,
            ofBothKinds(
                "mu_{q}_b", [](Row r) { return r.head.rotation.muQueryB; },
                [](Row r) { return r.head.rotation.muKeyB; },
                {"Mean {query} on b", "<i>μ</i><sub>{Q}</sub><sup>b</sup>", "activation", "Separation axis",
                 kNoRange, "Mean of the {queries} along the separation axis b.", "b · mean({q})", kOfBAxis,
                 kAlongB}));
  table.add(
      AnalysisStage::Geometry,
      ofBothKinds(
          "alpha_{q}", [](Row r) { return r.head.rotation.alphaQuery; },
          [](Row r) { return r.head.rotation.alphaKey; },
          {"Slope of {queries} on a", "<i>α</i><sub>{Q}</sub>", "activation / token", "Position axis",
           kNoRange, "Least-squares slope of the {queries}' a coordinate over position.",
           "Cov(a·{q}, t_{Q}) / Var(t_{Q})", kPerToken, "Positive: {queries} move along a with position."}));
  table.add(
      AnalysisStage::Geometry,
      {realColumn("bias_strength", [](Row r) { return r.head.rotation.biasStrength; },
                  {"Bias per token", "bias (recency +)", "score / token", "Position bias", kNoRange,
                   "Mean query on a times the slope of the keys: how the score grows with key position. "
                   "Positive prefers recent keys, negative prefers early ones.",
                   "μ_Q^a · α_K", kPerToken, kRecency}),
       realColumn("bias_window", [](Row r) { return r.head.rotation.biasWindow; },
                  {"Bias over the window, Bn", "<i>B</i><sub>n</sub> (recency +)", "score", "Position bias",
                   kNoRange,
                   "Bias per token times the window: the score difference between its two ends. Positive "
                   "prefers recent keys.",
                   "bias_strength · L", "", kRecency}),
       realColumn(
           "bias_logit", [](Row r) { return r.head.rotation.biasLogit; },
           {"Bias over the window, logits", "<i>B</i><sub>n</sub> in logits (recency +)", "logit",
            "Position bias", kNoRange, "Bias over the window times the head's score scale.",
            "bias_window · score scale", "Uses 1/√d where an import does not know the scale.", kRecency})});
  table.add(AnalysisStage::Geometry,
            ofBothKinds(
                "r_{q}_a", [](Row r) { return r.head.rotation.rQueryA; },
                [](Row r) { return r.head.rotation.rKeyA; },
                {"r of {queries} on a", "<i>r</i><sub>{Q},a</sub>", "", "Position axis", kSignedShare,
                 "Correlation of the {queries}' a coordinate with position.", "Pearson(a·{q}, t_{Q})",
                 "Published tables print absolute values.", kAlongA}));
  table.add(
      AnalysisStage::Geometry,
      {realColumn("position_r", [](Row r) { return r.head.rotation.positionR; },
                  {"r of the pool on a", "|<i>r</i><sub>a</sub>|", "", "Position axis", kShare,
                   "Absolute correlation of the a coordinate with position over queries and keys together.",
                   "|Pearson(a·x, t)|", "The offset between queries and keys lowers it."}),
       heavyTailed(
           realColumn("slope_ratio", [](Row r) { return r.head.rotation.slopeRatio; },
                      {"Slope ratio", "|<i>α</i><sub>K</sub>| / |<i>α</i><sub>Q</sub>|", "", "Position axis",
                       kNoRange, "How much faster the keys drift along a than the queries.", "|α_K| / |α_Q|",
                       "Heavy tail: figures summarise layers and models by the median."})),
       realColumn("separation_strength", [](Row r) { return r.head.rotation.separation; },
                  {"Separation strength", "separation strength", "", "Separation axis", kShare,
                   "Share of the query-key differences that lies along the separation axis b.",
                   "bᵀCb / tr C, C = Σ_Q + Σ_K + Δμ Δμᵀ", kOfBAxis}),
       realColumn("separation_strength_centroid", [](Row r) { return r.head.rotation.separationCentroid; },
                  {"Separation strength, centroid b", "separation (centroid b)", "", "Separation axis",
                   kShare, "Separation strength with b along the gap between the centroids.",
                   "bᵀCb / tr C with b along Δμ − (Δμ·a) a"}),
       realColumn(
           "separation_strength_eigenvector", [](Row r) { return r.head.rotation.separationEigenvector; },
           {"Separation strength, eigenvector b", "separation (eigenvector b)", "", "Separation axis", kShare,
            "Separation strength with b as the direction of largest difference beside a.",
            "bᵀCb / tr C with b the top eigenvector of PCP, P = I − aaᵀ", "Published values use this axis."}),
       realColumn("var_frac_a", [](Row r) { return r.head.rotation.varFracA; },
                  {"Variance on a", "variance on a", "", "Position axis", kShare,
                   "Share of the pooled variance along the position axis a.", "Var(a·x) / tr Cov(x)"}),
       realColumn(
           "var_frac_b", [](Row r) { return r.head.rotation.varFracB; },
           {"Variance on b", "variance on b", "", "Separation axis", kShare,
            "Share of the pooled variance along the separation axis b.", "Var(b·x) / tr Cov(x)", kOfBAxis}),
       realColumn(
           "plane_var_fraction", [](Row r) { return r.head.rotation.planeVarFraction; },
           {"Variance in the plane", "variance in {a, b}", "", "Separation axis", kShare,
            "Share of the pooled variance inside the {a, b} plane.", "var_frac_a + var_frac_b", kOfBAxis}),
       withoutInterval(realColumn("residual_pos_r", [](Row r) { return r.head.rotation.residualPositionR; },
                                  {"Position left outside", "residual <i>r</i>", "", "Position axis", kShare,
                                   "Largest correlation with position of any direction outside the plane: a "
                                   "self-test that must stay below 1e-9.",
                                   "max over u of |Pearson(u·x, t)|"})),
       realColumn("content_var_b", [](Row r) { return r.head.rotation.contentVarB; },
                  {"Content variance on b", "content variance on b", "activation²", "Separation axis",
                   kNoRange, "Mean of the queries' and the keys' own variance along b.",
                   "(Var(b·q) + Var(b·k)) / 2", kOfBAxis}),
       realColumn("axis_b_angle", [](Row r) { return r.head.rotation.axisBAngle; },
                  {"Angle between the b axes", "angle of b", "°", "Separation axis", kRightAngle,
                   "Angle between the centroid and the eigenvector form of b.",
                   "acos |b_centroid · b_eigenvector|"})});
  table.add(
      AnalysisStage::Plasticity,
      {realColumn("beta_norm", [](Row r) { return r.head.model.betaNorm; },
                  {"Query drift", "|<i>β</i>|", "activation / token", "Query drift", kNoRange,
                   "Length of the queries' drift per token, over all dimensions.", "|Cov(q, t)| / Var(t_Q)",
                   kPerToken}),
       realColumn("r2_pos", [](Row r) { return r.head.model.r2Position; },
                  {"R² of position", "<i>R</i><sup>2</sup><sub>pos</sub>", "", "Query drift", kShare,
                   "Mean over query dimensions of the variance explained by position.",
                   "mean over j of Pearson(q_j, t)²"}),
       realColumn(
           "sigma_pos2", [](Row r) { return r.head.model.sigmaPosition2; },
           {"Residual variance along the drift", "<i>σ</i><sup>2</sup><sub>pos</sub>", "activation²",
            "Query drift", kNoRange, "Variance of the queries around their drift line, along the drift.",
            "Σ (q′₁ − α_pos − β_pos t)² / (N_Q − 2)"}),
       realColumn("ap_overall", [](Row r) { return r.head.summary.overall; },
                  {"AP overall", "AP", "", "Plasticity", kShare,
                   "Attention plasticity: how undecided queries are between two earlier keys, averaged over "
                   "the window. 1 = every preference is open, 0 = all are fixed.",
                   "Σ n_b AP_b / Σ n_b over valid bins", "It does not see the temperature of the softmax."}),
       realColumn("ap_first20", [](Row r) { return r.head.summary.first20.ap; },
                  {"AP first 20 %", "AP<sub>first 20 %</sub>", "", "Plasticity", kShare,
                   "Mean plasticity over bins centred in the first quintile of the window.",
                   "mean AP_b over τ_b ≤ 0.2 L", kOfWindow}),
       realColumn("ap_last20", [](Row r) { return r.head.summary.last20.ap; },
                  {"AP last 20 %", "AP<sub>last 20 %</sub>", "", "Plasticity", kShare,
                   "Mean plasticity over bins centred in the last quintile of the window.",
                   "mean AP_b over τ_b ≥ 0.8 L", kOfWindow}),
       realColumn(
           "ap_drop", [](Row r) { return r.head.summary.drop; },
           {"AP drop", "AP<sub>drop</sub>", "", "Plasticity", kSignedShare,
            "Plasticity of the first quintile minus that of the last: positive means that late queries are "
            "less free.",
            "AP_first20 − AP_last20", kOfWindow, "Positive: late queries are less free."}),
       numbered(5, realColumn("ap_quintile_#", [](Row r) { return r.head.summary.quintiles[r.number].ap; },
                              {"AP quintile #", "AP<sub>{from}–{to} %</sub>", "", "Plasticity", kShare,
                               "Mean plasticity over bins centred in {from}–{to} % of the window.",
                               "mean AP_b over {from} % ≤ τ_b / L < {to} %", kOfWindow})),
       numbered(10, realColumn("ap_decile_#", [](Row r) { return r.head.summary.deciles[r.number].ap; },
                               {"AP tenth #", "AP<sub>{from}–{to} %</sub>", "", "Plasticity", kShare,
                                "Mean plasticity over bins centred in {from}–{to} % of the window.",
                                "mean AP_b over {from} % ≤ τ_b / L < {to} %", kOfWindow}))});
  table.add(
      AnalysisStage::Plasticity,
      {overTexts(
           realColumn("ap_aligned", [](Row r) { return r.head.aligned.summary.overall; },
                      {"AP aligned", "AP", "", "Plasticity", kShare,
                       "Attention plasticity at a position: how often two queries of different texts, put at "
                       "one position, "
                       "disagree on the order of two earlier keys, averaged over the window. 1 = every "
                       "preference is open, "
                       "0 = all are fixed.",
                       "mean over valid bins of the mean over pairs of 2 Pr[two queries disagree]",
                       "May come out a little above 1. It does not see the temperature of the softmax."})),
       overTexts(realColumn("ap_aligned_first20", [](Row r) { return r.head.aligned.summary.first20.ap; },
                            {"AP aligned, first 20 %", "AP<sub>first 20 %</sub>", "", "Plasticity", kShare,
                             "Mean aligned plasticity over bins centred in the first quintile of the window.",
                             "mean AP_b over τ_b ≤ 0.2 L", kOfWindow})),
       overTexts(realColumn("ap_aligned_last20", [](Row r) { return r.head.aligned.summary.last20.ap; },
                            {"AP aligned, last 20 %", "AP<sub>last 20 %</sub>", "", "Plasticity", kShare,
                             "Mean aligned plasticity over bins centred in the last quintile of the window.",
                             "mean AP_b over τ_b ≥ 0.8 L", kOfWindow})),
       overTexts(realColumn(
           "ap_aligned_drop", [](Row r) { return r.head.aligned.summary.drop; },
           {"AP aligned, drop", "AP<sub>drop</sub>", "", "Plasticity", kSignedShare,
            "Aligned plasticity of the first quintile minus that of the last.",
            "ap_aligned_first20 − ap_aligned_last20", kOfWindow, "Positive: late queries are less free."})),
       overTexts(numbered(
           5, realColumn("ap_aligned_quintile_#",
                         [](Row r) { return r.head.aligned.summary.quintiles[r.number].ap; },
                         {"AP aligned, quintile #", "AP<sub>{from}–{to} %</sub>", "", "Plasticity", kShare,
                          "Mean aligned plasticity over bins centred in {from}–{to} % of the window.",
                          "mean AP_b over {from} % ≤ τ_b / L < {to} %", kOfWindow}))),
       overTexts(numbered(
           10, realColumn("ap_aligned_decile_#",
                          [](Row r) { return r.head.aligned.summary.deciles[r.number].ap; },
                          {"AP aligned, tenth #", "AP<sub>{from}–{to} %</sub>", "", "Plasticity", kShare,
                           "Mean aligned plasticity over bins centred in {from}–{to} % of the window.",
                           "mean AP_b over {from} % ≤ τ_b / L < {to} %", kOfWindow}))),
       withoutInterval(realColumn("ap_aligned_coverage", [](Row r) { return r.head.aligned.coverage; },
                                  {"Aligned coverage", "coverage", "", "Plasticity", kShare,
                                   "Share of the query bins that have an aligned value.", "valid bins / bins",
                                   "The first bins have few earlier keys."})),
       withoutInterval(realColumn(
           "ap_position_alone", [](Row r) { return r.head.aligned.positionAloneMean; },
           {"AP of position alone", "AP<sub>position</sub>", "", "Plasticity", kShare,
            "Binned plasticity if the content of the queries never changed: every query "
            "replaced by "
            "the mean un-rotated query at its own position.",
            "aligned estimator with R(t_n) mean(R(−t) q) in the place of q_n",
            "High: positions within a bin alone reorder keys, and binned AP counts that as content."})),
       realColumn("ap_binning_excess",
                  [](Row r) { return r.head.summary.overall - r.head.aligned.summary.overall; },
                  {"Binning excess", "AP<sub>binned</sub> − AP", "", "Plasticity", kSignedShare,
                   "How far binned plasticity lies above aligned plasticity.", "ap_overall − ap_aligned",
                   "Above 0.05 the binned value counts position as content.",
                   "Positive: binned plasticity is larger."}),
       whereMade(wordColumn("ap_aligned_missing", [](Row r) { return r.head.aligned.missing; },
                            {"Why aligned AP is missing", "", "", "Plasticity", kNoRange,
                             "Why the head has no aligned values; empty where it has."}),
                 [](const HeadResult& head) { return !head.aligned.missing.empty(); }),
       ofPlacement("drop_aligned_ends", [](Row r) { return r.head.placement->ends.value; },
                   {"AP drop, first to last bin", "AP<sub>first</sub> − AP<sub>last</sub>", "", "Placement",
                    kSignedShare, "Aligned plasticity of the first valid bin minus that of the last.",
                    "T(1, 1) − T(n, n)", "", "Positive: late queries are less free."}),
       ofPlacement(
           "drop_placement", [](Row r) { return r.head.placement->placement.value; },
           {"Drop by placement", "placement", "", "Placement", kSignedShare,
            "How much of that drop comes from where RoPE puts queries and keys.",
            "((T(1, 1) − T(1, n)) + (T(n, 1) − T(n, n))) / 2",
            "Placement and content sum to the drop exactly.", "Positive: later places are less plastic."}),
       ofPlacement("drop_content", [](Row r) { return r.head.placement->content.value; },
                   {"Drop by content", "content", "", "Placement", kSignedShare,
                    "How much of that drop comes from what queries and keys are without RoPE.",
                    "((T(1, 1) − T(n, 1)) + (T(1, n) − T(n, n))) / 2", "",
                    "Positive: later content is less plastic."}),
       ofSalience("ap_same_position", [](Row r) { return r.head.salience->same.value; },
                  {"AP at one position", "AP<sub>same</sub>", "", "Salience", kShare,
                   "Aligned plasticity with both keys of a pair at the mean of their positions."}),
       ofSalience(
           "ap_one_vector", [](Row r) { return r.head.salience->one.value; },
           {"AP of one vector", "AP<sub>one</sub>", "", "Salience", kShare,
            "Aligned plasticity with one of the two vectors at both positions, a mean over the choice."}),
       ofSalience("rigidity_position", [](Row r) { return r.head.salience->position.value; },
                  {"Rigidity by position", "rigidity by position", "", "Salience", kSignedShare,
                   "Part of 1 − AP that the positions of the keys fix: Shapley value of two factors.",
                   "((1 − AP_one) + (AP_same − AP)) / 2", "", "Positive: positions fix preferences."}),
       ofSalience("rigidity_salience", [](Row r) { return r.head.salience->salience.value; },
                  {"Rigidity by salience", "rigidity by salience", "", "Salience", kSignedShare,
                   "Part of 1 − AP that the content of the keys fixes: some keys win against most queries.",
                   "((1 − AP_same) + (AP_one − AP)) / 2", "", "Positive: salient keys fix preferences."})});
  addPositionShares(
      table, "q", "queries", [](Row r) { return r.head.salience->query.variance; },
      [](Row r) { return r.head.salience->query.linear; });
  addPositionShares(
      table, "k", "keys", [](Row r) { return r.head.salience->key.variance; },
      [](Row r) { return r.head.salience->key.linear; });
  table.add(
      AnalysisStage::Plasticity,
      {integerColumn("attention_window", [](Row r) { return r.head.place.attentionWindow; },
                     {"Attention window", "window", "tokens", "Reach", kNoRange,
                      "Tokens that a query of the layer sees, itself included, or the size of a block in a "
                      "chunked layer; 0: all before it."}),
       withoutInterval(realColumn(
           "reach_last", [](Row r) { return lastReach(r.head.place, r.head.window); },
           {"Reach at the end", "reach<sub>last 20 %</sub>", "", "Reach", kShare,
            "Share of the tokens up to a query that its layer lets it see, a mean over the last fifth of the "
            "window: 1 without an attention window.",
            "mean over t ≥ 0.8 L of min(W, t + 1) / (t + 1); in blocks of W (t mod W + 1) / (t + 1)",
            kOfWindow})),
       realColumn(
           "ap_reach_drop", [](Row r) { return r.head.summary.reachDrop; },
           {"Drop of AP times reach", "(AP × reach)<sub>drop</sub>", "", "Reach", kSignedShare,
            "AP drop of plasticity times reach. Where it is far above AP drop, late queries lose sight "
            "of keys rather than choose less among those they see.",
            "mean AP_b reach_b over τ_b ≤ 0.2 L − the same over τ_b ≥ 0.8 L", kOfWindow,
            "Positive: late queries choose among a smaller share."}),
       overTexts(realColumn("ap_aligned_reach_drop", [](Row r) { return r.head.aligned.summary.reachDrop; },
                            {"Drop of aligned AP times reach", "(AP × reach)<sub>drop</sub>", "", "Reach",
                             kSignedShare, "The same of aligned plasticity.",
                             "mean AP_b reach_b over τ_b ≤ 0.2 L − the same over τ_b ≥ 0.8 L", kOfWindow,
                             "Positive: late queries choose among a smaller share."})),
       ofSoftmax("softmax_plasticity",
                 [](Row r) { return r.head.softmax ? r.head.softmax->plasticity.value : kMissing; },
                 {"Softmax plasticity", "SP", "", "Attention", kShare,
                  "How much of the attention two queries of one text put on different keys, the later query "
                  "moved to the position of the earlier one: 0 = they attend alike, 1 = to different keys.",
                  "mean over bins of mean 1 − Σ_j min(a_j, a′_j)",
                  "Of heads of --dense. Unlike PP it depends on the temperature of the softmax."}),
       ofSoftmax("pp_sp_correlation",
                 [](Row r) { return r.head.softmax ? r.head.softmax->correlation.value : kMissing; },
                 {"Correlation of PP and SP", "<i>ρ</i>(PP, SP)", "", "Attention", kSignedShare,
                  "Whether softmax plasticity rises and falls with pairwise plasticity over the window.",
                  "Spearman's correlation of ap_aligned and sp over bins",
                  "Of heads of --dense. Noise of both values draws it towards 0.",
                  "Positive: attention depends more on the query where preferences are open."})});
  table.add(
      AnalysisStage::Geometry,
      {whereScored(realColumn("attention_entropy", [](Row r) { return r.head.attention.entropy; },
                              {"Attention entropy", "entropy", "nat", "Attention", kNoRange,
                               "Entropy of the attention weights of a query over the keys that it sees, a "
                               "mean over queries (Clark "
                               "et al. 2019, What Does BERT Look At?). 0: one key takes all.",
                               "mean over i of −Σ_j a_ij ln a_ij", kOfScored})),
       whereScored(realColumn(
           "attention_distance", [](Row r) { return r.head.attention.distance; },
           {"Attention distance", "attention distance", "token", "Attention", kNoRange,
            "How far back a query looks, weighted by attention, a mean over queries (Vig and Belinkov 2019, "
            "Analyzing the Structure of Attention in a Transformer Language Model).",
            "mean over i of Σ_j a_ij (i − j)", kOfScored})),
       whereScored(realColumn(
           "first_token_attention", [](Row r) { return r.head.attention.firstToken; },
           {"Attention sink", "first-token share", "", "Attention", kShare,
            "Share of the attention on the first token of the text, a mean over queries (Xiao et al. 2023, "
            "Efficient Streaming Language Models with Attention Sinks).",
            "mean over i of a_i0", kOfScored})),
       whereScored(realColumn(
           "recent_attention", [](Row r) { return r.head.attention.recent; },
           {"Attention on recent tokens", "recent share", "", "Attention", kShare,
            "Share of the attention on the last 64 tokens, the query's own included, a mean over queries.",
            "mean over i of Σ_j a_ij over j > i − 64", kOfScored})),
       whereScored(realColumn("previous_token_score", [](Row r) { return r.head.attention.previousToken; },
                              {"Previous-token score", "previous-token score", "", "Attention", kShare,
                               "Attention on the token before the query, a mean over queries (Elhage et al. "
                               "2021, A Mathematical "
                               "Framework for Transformer Circuits).",
                               "mean over i of a_i,i−1", kOfScored})),
       whereScored(realColumn(
           "induction_score", [](Row r) { return r.head.attention.induction; },
           {"Induction score", "induction score", "", "Attention", kShare,
            "Attention on the tokens that followed earlier places of the query's own token, a mean over the "
            "queries whose token stood in the text before: prefix matching (Olsson et al. 2022, In-context "
            "Learning and Induction Heads), on the capture's texts instead of repeated random tokens.",
            "mean over i of Σ_j a_i,j+1 over j < i − 1 with t_j = t_i", kOfScored})),
       whereScored(realColumn("duplicate_token_score", [](Row r) { return r.head.attention.duplicateToken; },
                              {"Duplicate-token score", "duplicate-token score", "", "Attention", kShare,
                               "Attention on earlier places of the query's own token, a mean over the "
                               "queries whose token stood in "
                               "the text before (Wang et al. 2023, Interpretability in the Wild).",
                               "mean over i of Σ_j a_ij over j < i with t_j = t_i", kOfScored})),
       whereMade(
           withoutInterval(integerColumn("attention_queries", [](Row r) { return r.head.attention.queries; },
                                         {"Scored queries", "scored queries", "", "Attention", kNoRange,
                                          "Queries that the attention scores of the head are means over."})),
           [](const HeadResult& head) { return head.scored; }),
       ofProbe(
           "probe_induction_score", [](Row r) { return r.head.probe->induction; },
           {"Induction score, probe", "induction (probe)", "", "Attention", kShare,
            "Induction score on random tokens that repeat: attention from a token of the second half on the "
            "token after its first place (Olsson et al. 2022).",
            "mean over i of the second half of a_i,i−n+1, n the length of a half"}),
       ofProbe(
           "probe_previous_token_score", [](Row r) { return r.head.probe->previousToken; },
           {"Previous-token score, probe", "previous token (probe)", "", "Attention", kShare,
            "Previous-token score on the same random tokens.", "mean over i of the second half of a_i,i−1"}),
       ofProbe("probe_duplicate_token_score", [](Row r) { return r.head.probe->duplicateToken; },
               {"Duplicate-token score, probe", "duplicate token (probe)", "", "Attention", kShare,
                "Duplicate-token score on the same random tokens.",
                "mean over i of the second half of a_i,i−n"})});
  return table;
}

}  // namespace plastiscope
