// diagnostics.csv and decomposition.csv: checks of the assumptions behind the other tables (method.md,
// Diagnostics and Decomposition and what-if).
#include "core/analysis/tables/definitions.h"

namespace plastiscope {

namespace {

double positionPart(const HeadResult& head) {
  return head.summary.drop - head.decomposition->dropNoPosition;
}

double contentPart(const HeadResult& head) {
  return head.summary.drop - head.decomposition->dropContentFrozen;
}

}  // namespace

AnalysisTable diagnosticsDefinition() {
  AnalysisTable table = tableOfHeads({"diagnostics", "one row per head",
                                      "Checks of what the other tables assume, as sizes of an effect.",
                                      AnalysisStage::None, oneRow});
  table.add(
      AnalysisStage::Geometry,
      {realColumn("fisher", [](Row r) { return r.head.pca.fisher; },
                  {"Fisher ratio", "", "", "Diagnostics", kNoRange,
                   "How far queries and keys lie apart on PC0, in units of their spread.",
                   "(mean(Q·v₀) − mean(K·v₀))² / (Var(Q·v₀) + Var(K·v₀))"}),
       realColumn("qk_accuracy", [](Row r) { return r.head.pca.qkAccuracy; },
                  {"Q/K accuracy", "", "", "Diagnostics", kShare,
                   "Share of rows that a straight line between queries and keys on the first two components "
                   "puts on the right side.",
                   "linear discriminant on (PC0, PC1), pooled covariance, equal priors",
                   "On the same rows that made the line; a row on the line counts half."}),
       realColumn("mean_gap", [](Row r) { return r.head.pca.meanGap; },
                  {"Mean gap", "", "activation", "Diagnostics", kNoRange,
                   "Distance of mean query and mean key on PC0.", "mean(Q·v₀) − mean(K·v₀)", kSignOnly,
                   "Positive: queries lie beyond keys along PC0."})});
  table.add(
      AnalysisStage::Geometry,
      ofBothKinds(
          "pooled_author_{q}", [](Row r) { return r.head.pca.pooledAuthorQuery; },
          [](Row r) { return r.head.pca.pooledAuthorKey; },
          {"Author's formula, {queries}", "", "", "Diagnostics", kShare,
           "The author's \"variance linear in position\" of the {queries}.", "Σ_j EV_j · r_{q},j²",
           "Multiplies a pooled variance by a within-class r²: not a share of variance; lin_frac_{q} is."}));
  table.add(
      AnalysisStage::Plasticity,
      {realColumn(
          "bias_snr", [](Row r) { return r.head.extras.diagnostics.biasSnr; },
          {"Bias to content", "<i>B</i><sub>n</sub> / √<i>v</i>", "", "Position bias", kNoRange,
           "Bias over the window against the spread that content gives the score difference of two keys.",
           "Bn / √v, v = mean over pairs of Σ_{c≥2} δ′_c² s²_{b,c}", "", kRecency})});
  table.add(AnalysisStage::Geometry,
            {realColumn("intercept_q", [](Row r) { return r.head.rotation.interceptQuery; },
                        {"Query on a at position 0", "", "activation", "Position axis", kNoRange,
                         "Mean query on a, drawn back to position 0 along its slope.",
                         "μ_Q^a − α_Q · mean(t_Q)", "", kAlongA}),
             realColumn("slope_at_start", [](Row r) { return r.head.rotation.slopeAtStart; },
                        {"Bias at the start", "", "score / token", "Position bias", kNoRange,
                         "Slope of the score over key position that a query at position 0 sees.",
                         "intercept_Q · α_K", kPerToken, kRecency}),
             realColumn("slope_at_end", [](Row r) { return r.head.rotation.slopeAtEnd; },
                        {"Bias at the end", "", "score / token", "Position bias", kNoRange,
                         "Slope of the score over key position that a query at the last position sees.",
                         "(intercept_Q + α_Q (L − 1)) · α_K", kPerToken, kRecency})});
  table.add(
      AnalysisStage::Plasticity,
      {realColumn("skewness", [](Row r) { return r.head.extras.diagnostics.skewness; },
                  {"Skewness along the drift", "", "", "Diagnostics", kNoRange,
                   "Asymmetry of the queries around their drift line; 0 for a normal distribution.",
                   "bias-corrected skewness of q′₁ − α_pos − β_pos t", "",
                   "Positive: the longer tail lies along the drift."}),
       realColumn("excess_kurtosis", [](Row r) { return r.head.extras.diagnostics.excessKurtosis; },
                  {"Excess kurtosis along the drift", "", "", "Diagnostics", kNoRange,
                   "Weight of the tails of the queries around their drift line; 0 for a normal distribution.",
                   "bias-corrected excess kurtosis of q′₁ − α_pos − β_pos t", "",
                   "Positive: heavier tails than normal."}),
       realColumn("content_skewness", [](Row r) { return r.head.extras.diagnostics.contentSkewness; },
                  {"Skewness of content", "", "", "Diagnostics", kNoRange,
                   "Typical size of the skewness of the queries' other coordinates.",
                   "median over c ≥ 2 of |skewness(q′_c)|", kOverAllPositions}),
       realColumn("content_kurtosis", [](Row r) { return r.head.extras.diagnostics.contentKurtosis; },
                  {"Excess kurtosis of content", "", "", "Diagnostics", kNoRange,
                   "Typical size of the excess kurtosis of the queries' other coordinates.",
                   "median over c ≥ 2 of |excess kurtosis(q′_c)|", kOverAllPositions}),
       realColumn("r2_scalar", [](Row r) { return r.head.extras.diagnostics.scalar.r2; },
                  {"R² of one coordinate", "<i>R</i><sup>2</sup><sub>scalar</sub>", "", "Diagnostics", kShare,
                   "How well the queries' coordinate along the drift tells the logarithm of position.",
                   "Pearson(q·β / |β|, log₂(t + 1))²"}),
       realColumn("ap_full_minus_empirical",
                  [](Row r) { return r.head.extras.diagnostics.fullMinusEmpirical; },
                  {"Full less empirical AP", "AP<sub>full</sub> − AP<sub>empirical</sub>", "", "Diagnostics",
                   kSignedShare, "Error of assuming normal scores: a check of the Gaussian modes.",
                   "AP_overall(full) − AP_overall(empirical), same pairs",
                   "Only computed where it is cheap, or with diagnostics all. Empirical PP is "
                   "4 p (1 − p) n / (n − 1): without bias for n independent queries, too low where the "
                   "queries of a bin come from few texts.",
                   "Positive: the normal distribution makes preferences look freer than they are."}),
       realColumn("mae_scalar", [](Row r) { return r.head.extras.diagnostics.scalar.error; },
                  {"Error with the coordinate", "", "octaves", "Diagnostics", kNoRange,
                   "Mean error of telling log₂ of the position from the queries' coordinate along the drift.",
                   "mean |log₂(t + 1) − line through q·β / |β||"}),
       realColumn("mae_mean", [](Row r) { return r.head.extras.diagnostics.scalar.meanError; },
                  {"Error without it", "", "octaves", "Diagnostics", kNoRange,
                   "Mean error of telling log₂ of the position without looking at the query.",
                   "mean |log₂(t + 1) − its mean|"}),
       realColumn("mae_ratio", [](Row r) { return r.head.extras.diagnostics.scalar.ratio; },
                  {"Ratio of the errors", "", "", "Diagnostics", kNoRange,
                   "Error with the coordinate over the error without it; 1 means that it tells nothing.",
                   "mae_scalar / mae_mean"})});
  table.add(
      AnalysisStage::Geometry,
      {realColumn(
           "plane_omega", [](Row r) { return r.head.extras.diagnostics.planeRotation.omega; },
           {"Rotation frequency of {a, b}", "<i>ω</i>", "rad / token", "Diagnostics", kNoRange,
            "Frequency at which the angle in the plane {a, b}, not centred, goes along with position best.",
            "frequency of the highest peak of Σ exp(iθ_n) exp(−iωt_n), θ of (a·x, b·x)", "",
            "Positive: from a towards b."}),
       realColumn(
           "plane_omega_r2", [](Row r) { return r.head.extras.diagnostics.planeRotation.r2; },
           {"Agreement in {a, b}", "<i>R</i><sup>2</sup><sub>ω</sub>", "", "Diagnostics", kShare,
            "How well the angle in the plane {a, b} follows that frequency; 1 = exactly.",
            "(|Z| / n)² at the peak",
            "A cloud far from the origin gives a high value at frequency 0; noise gives about ln(M) / n."}),
       realColumn(
           "plane_rope_pair",
           [](Row r) { return nearestRopePair(r, r.head.extras.diagnostics.planeRotation.omega); },
           {"RoPE pair nearest to {a, b}", "", "", "Diagnostics", kNoRange,
            "RoPE pair whose frequency is nearest to that of the plane {a, b}; empty without RoPE."})});
  return table;
}

AnalysisTable decompositionDefinition() {
  AnalysisTable table = tableOfHeads(
      {"decomposition", "one row per head",
       "How much of AP drop goes back to query drift and how much to changing content; only "
       "with decomposition on.",
       AnalysisStage::Plasticity, [](Row r) -> std::size_t { return r.head.decomposition ? 1 : 0; }});
  table.wanted = [](const HeadResult& head) { return head.decomposition.has_value(); };
  table.add(
      {realColumn(
           "ap_drop", [](Row r) { return r.head.summary.drop; }, explainedIn("heads")),
       realColumn(
           "position_part", [](Row r) { return positionPart(r.head); },
           {"Position part", "", "", "Decomposition", kSignedShare,
            "Part of the drop that disappears when the queries do not drift.",
            "AP_drop − AP_drop(query held still)", kPartsMayOverlap, "Positive: query drift makes AP fall."}),
       realColumn("content_part", [](Row r) { return contentPart(r.head); },
                  {"Content part", "", "", "Decomposition", kSignedShare,
                   "Part of the drop that disappears when mean and spread of content are equal in all bins.",
                   "AP_drop − AP_drop(content frozen)", kPartsMayOverlap,
                   "Positive: changing content makes AP fall."}),
       realColumn(
           "interaction",
           [](Row r) { return r.head.summary.drop - positionPart(r.head) - contentPart(r.head); },
           {"Interaction", "", "", "Decomposition", kSignedShare, "Drop that belongs to neither part alone.",
            "AP_drop − position_part − content_part", "", "Positive: the drop is larger than its parts."})});
  return table;
}

namespace {

// Row index -> content bin u and position bin v.
struct Cell {
  Eigen::Index content, position;
};
Cell cellOf(Row r) {
  const auto count = static_cast<Eigen::Index>(r.head.placement->bins.size());
  return {static_cast<Eigen::Index>(r.index) / count, static_cast<Eigen::Index>(r.index) % count};
}
std::int64_t binOf(Row r, Eigen::Index place) {
  return r.head.placement->bins[place];
}
double tauOf(Row r, std::int64_t bin) {
  return r.head.aligned.bins[bin].tau.value();
}

// Row index -> bin and kind: queries and keys of each bin.
std::size_t binCount(Row r) {
  return r.head.placement->query.size();
}
const UnrotatedBin& unrotatedOf(Row r) {
  return (r.index % 2 == 1 ? r.head.placement->key : r.head.placement->query)[r.index / 2];
}

const DistanceScore& scoreOf(Row r) {
  return r.head.salience->scores[r.index];
}

const MetricInfo kTauInfo{"Query position", "", "tokens", "Placement", kNoRange, "Midpoint of that bin."};

}  // namespace

AnalysisTable placementDefinition() {
  AnalysisTable table = tableOfHeads(
      {"placement", "one row per head, bin of the content and bin of the position",
       "Aligned plasticity of the content of one bin at the place of another.", AnalysisStage::Plasticity,
       [](Row r) -> std::size_t {
         return r.head.placement ? r.head.placement->bins.size() * r.head.placement->bins.size() : 0;
       }});
  table.wanted = [](const HeadResult& head) { return head.placement.has_value(); };
  table.add(
      {integerColumn("content_bin", [](Row r) { return binOf(r, cellOf(r).content); },
                     {"Bin of the content", "", "", "Placement", kNoRange,
                      "Aligned bin whose queries and key pairs are taken, from 0."}),
       integerColumn(
           "position_bin", [](Row r) { return binOf(r, cellOf(r).position); },
           {"Bin of the position", "", "", "Placement", kNoRange, "Aligned bin where they are put, from 0."}),
       realColumn(
           "content_tau", [](Row r) { return tauOf(r, binOf(r, cellOf(r).content)); }, kTauInfo),
       realColumn(
           "position_tau", [](Row r) { return tauOf(r, binOf(r, cellOf(r).position)); }, kTauInfo),
       realColumn("ap", [](Row r) { return r.head.placement->ap(cellOf(r).content, cellOf(r).position); },
                  {"AP of the content at the position", "AP", "", "Placement", kShare,
                   "On the diagonal the aligned plasticity of the bin; along a row the place changes, down a "
                   "column the content.",
                   "T(u, v)"})});
  return table;
}

AnalysisTable placementBinsDefinition() {
  AnalysisTable table =
      tableOfHeads({"placement_bins", "one row per head, kind of row and bin",
                    "Un-rotated queries and keys over position.", AnalysisStage::Plasticity,
                    [](Row r) -> std::size_t { return r.head.placement ? 2 * binCount(r) : 0; }});
  table.wanted = [](const HeadResult& head) { return head.placement.has_value(); };
  table.add(
      {wordColumn("kind", [](Row r) { return std::string(r.index % 2 == 1 ? "key" : "query"); },
                  {"Kind", "", "", "Placement", kNoRange, "query or key."}),
       integerColumn(
           "bin", [](Row r) { return asInteger(r.index / 2); }, explainedIn("profile")),
       realColumn(
           "tau", [](Row r) { return tauOf(r, asInteger(r.index / 2)); }, explainedIn("profile")),
       integerColumn("rows", [](Row r) { return unrotatedOf(r).rows; },
                     {"Rows", "", "", "Rows", kNoRange, "Rows of the kind at positions of the bin."}),
       realColumn("mean_norm", [](Row r) { return unrotatedOf(r).meanNorm; },
                  {"Mean norm", "", "activation", "Placement", kNoRange, "Mean length of the rows."}),
       realColumn("total_variance", [](Row r) { return unrotatedOf(r).totalVariance; },
                  {"Total variance", "", "activation²", "Placement", kNoRange,
                   "Trace of the covariance of the un-rotated rows (divisor n − 1)."}),
       realColumn("participation_ratio", [](Row r) { return unrotatedOf(r).participation; },
                  {"Participation ratio", "", "", "Placement", kNoRange,
                   "How many directions share their variance.", "(tr C)² / tr C²"}),
       realColumn(
           "mean_drift", [](Row r) { return unrotatedOf(r).meanDrift; },
           {"Drift of the mean", "", "activation", "Placement", kNoRange,
            "How far their mean lies from that of the first valid bin, from one half of the texts projected "
            "on the other, so that noise does not lengthen it.",
            "±√|⟨d_even, d_odd⟩|", "", "Positive: both halves moved the same way."})});
  return table;
}

AnalysisTable salienceDefinition() {
  AnalysisTable table =
      tableOfHeads({"salience", "one row per head and distance", "Scores by distance between query and key.",
                    AnalysisStage::Plasticity, [](Row r) -> std::size_t {
                      return r.head.salience ? r.head.salience->scores.size() : 0;
                    }});
  table.wanted = [](const HeadResult& head) { return head.salience.has_value(); };
  table.add(
      {integerColumn(
           "distance", [](Row r) { return scoreOf(r).distance; },
           {"Distance", "<i>D</i>", "tokens", "Salience", kNoRange,
            "Tokens from the key to the query; measured scores are of distances from here to the next "
            "row's."}),
       realColumn(
           "mean_field_bias", [](Row r) { return scoreOf(r).meanField; },
           {"Mean-field bias", "<i>β</i>(<i>D</i>)", "logit", "Salience", kNoRange,
            "Score that the mean un-rotated query gives the mean un-rotated key that stands D tokens before.",
            "scale · m_q · R(−D) m_k", "", "Positive: above no preference at all."}),
       realColumn("measured_score", [](Row r) { return scoreOf(r).measured; },
                  {"Measured score", "", "logit", "Salience", kNoRange,
                   "Mean score of captured queries and keys of one text at these distances.",
                   "mean scale · q · k", "", "Positive: above no preference at all."}),
       realColumn("mean_field_over_pairs", [](Row r) { return scoreOf(r).meanFieldMean; },
                  {"Mean-field bias of the pairs", "", "logit", "Salience", kNoRange,
                   "The mean field at the distances of the measured pairs.", "", "",
                   "Positive: above no preference at all."}),
       integerColumn("measured_pairs", [](Row r) { return scoreOf(r).pairs; },
                     {"Measured pairs", "", "", "Rows", kNoRange, "Pairs of a captured query and key."})});
  return table;
}

}  // namespace plastiscope
