// placement.csv, placement_bins.csv and salience.csv: parts of the fall of aligned plasticity with position.
#include "core/analysis/tables/definitions.h"

namespace plastiscope {

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
  return r.head.placement->bins[static_cast<std::size_t>(place)];
}
double tauOf(Row r, std::int64_t bin) {
  return r.head.aligned.bins[static_cast<std::size_t>(bin)].tau.value();
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
