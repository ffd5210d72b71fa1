// profile.csv, lengths.csv, bump.csv and bump_model.csv: AP over query position; map.csv and map_model.csv:
// PP by distance (method.md, Head values and Plasticity map).
#include <map>

#include "core/analysis/tables/definitions.h"

namespace plastiscope {

namespace {

MidContextRecovery recoveryOf(const HeadResult& head) {
  std::array<double, 10> deciles;
  for (std::size_t k = 0; k < deciles.size(); ++k) deciles[k] = head.summary.deciles[k].ap;
  return midContextRecovery(deciles);
}

std::string recoversText(const MidContextRecovery& recovery) {
  return recovery.known() ? yesNo(recovery.recovers()) : "";
}

std::vector<ColumnValues> recoveryModelValues(const TableInput& input) {
  std::array<double, 10> means;
  for (std::size_t k = 0; k < means.size(); ++k) {
    Numbers deciles;
    for (const HeadResult& head : input.heads) deciles.push_back(head.summary.deciles[k].ap);
    means[k] = meanOfPresent(deciles);
  }
  const MidContextRecovery model = midContextRecovery(means);
  std::int64_t known = 0, recovering = 0;
  for (const HeadResult& head : input.heads) {
    const MidContextRecovery recovery = recoveryOf(head);
    known += recovery.known() ? 1 : 0;
    recovering += recovery.recovers() ? 1 : 0;
  }
  return {Numbers{model.dip},         Numbers{model.recovery}, Numbers{model.collapse},
          Texts{recoversText(model)}, Integers{known},         Integers{recovering}};
}

// AP of the aligned bin that contains the row's query position.
double alignedAt(Row r) {
  const BinResult* bin = r.head.aligned.binAt(r.head.plasticity.bins[r.index].tau.value());
  return bin == nullptr ? kMissing : bin->ap;
}
std::int64_t alignedTextsAt(Row r) {
  const BinResult* bin = r.head.aligned.binAt(r.head.plasticity.bins[r.index].tau.value());
  return bin == nullptr ? 0 : bin->texts;
}
double positionAloneAt(Row r) {
  const AlignedPlasticity& aligned = r.head.aligned;
  const BinResult* bin = aligned.binAt(r.head.plasticity.bins[r.index].tau.value());
  return bin == nullptr ? kMissing : aligned.positionAlone[bin - aligned.bins.data()];
}

const MetricInfo kTextsInfo{"Texts", "",       "",
                            "Rows",  kNoRange, "Different texts that the queries of the bin come from."},
    kTextsDifferInfo{
        "Texts differ",
        "",
        "",
        "Rows",
        kNoRange,
        "Whether some texts end before the bin: true or false. Then its texts are not those of the "
        "first bin, but the longer ones."},
    kAlignedInfo{
        "AP aligned",
        "AP",
        "",
        "Plasticity",
        kShare,
        "Mean aligned plasticity of the bin's key pairs; empty with fewer than min_queries queries, two "
        "texts or min_pairs pairs.",
        "mean over pairs of 4 (c (n − c) − Σ_e c_e (n_e − c_e)) / (n² − Σ_e n_e²)"},
    kPositionAloneInfo{"AP of position alone",
                       "",
                       "",
                       "Plasticity",
                       kShare,
                       "The same with the mean un-rotated query at the position of every query."},
    kReachInfo{"Reach",
               "reach",
               "",
               "Reach",
               kShare,
               "Share of the tokens up to a query that its layer lets it see, a mean over the positions of "
               "the bin: 1 without an attention window.",
               "mean over t of min(W, t + 1) / (t + 1); in blocks of W (t mod W + 1) / (t + 1)"};

double meanPlasticity(const MapCellSum& cell) {
  return cell.sum / static_cast<double>(cell.pairs);
}

// Sums over heads of one cell.
struct ModelCell {
  std::int64_t pairs = 0;
  Numbers sums, means;

  double pp(bool headMean) const {
    if (headMean) return sumOf(means) / static_cast<double>(means.size());
    return sumOf(sums) / static_cast<double>(pairs);
  }
};

// The cells of a head, binned or aligned.
using CellsOf = const std::vector<MapCellSum>& (*)(const HeadResult&);
const std::vector<MapCellSum>& binnedCells(const HeadResult& head) {
  return head.plasticity.cells;
}
const std::vector<MapCellSum>& alignedCells(const HeadResult& head) {
  return head.aligned.cells;
}

template <CellsOf cellsOf>
std::vector<ColumnValues> mapModelValues(const TableInput& input) {
  std::map<std::pair<std::int64_t, std::int64_t>, ModelCell> cells;
  for (const HeadResult& head : input.heads) {
    for (const MapCellSum& cell : cellsOf(head)) {
      ModelCell& pool = cells[{cell.distanceCell, cell.midpointCell}];
      pool.pairs += cell.pairs;
      pool.sums.push_back(cell.sum);
      pool.means.push_back(meanPlasticity(cell));
    }
  }
  const bool headMean = input.context.settings.mapAggregation == "head_mean";
  Integers distance, midpoint, pairs;
  Numbers pp;
  for (const auto& [place, cell] : cells) {
    distance.push_back(place.first);
    midpoint.push_back(place.second);
    pairs.push_back(cell.pairs);
    pp.push_back(cell.pp(headMean));
  }
  return {distance, midpoint, pairs, pp};
}

}  // namespace

AnalysisTable profileDefinition() {
  AnalysisTable table = tableOfHeads({"profile", "one row per head and query bin",
                                      "Plasticity over query position.", AnalysisStage::Plasticity,
                                      [](Row r) -> std::size_t { return r.head.plasticity.bins.size(); }});
  table.add(
      {integerColumn("bin", [](Row r) { return asInteger(r.index); },
                     {"Query bin", "", "", "Profile", kNoRange, "Number of the query bin, from 0."}),
       realColumn("start", [](Row r) { return r.head.plasticity.bins[r.index].start; },
                  {"Start of the bin", "", "tokens", "Profile", kNoRange, "First position of the bin."}),
       realColumn("end", [](Row r) { return r.head.plasticity.bins[r.index].end; },
                  {"End of the bin", "", "tokens", "Profile", kNoRange, "First position behind the bin."}),
       realColumn("tau", [](Row r) { return r.head.plasticity.bins[r.index].tau.value(); },
                  {"Query position", "<i>τ</i>", "tokens", "Profile", kNoRange,
                   "Query position that stands for the bin: its midpoint, or the mean position of its "
                   "queries with tau mean."}),
       integerColumn("queries", [](Row r) { return r.head.plasticity.bins[r.index].queries; },
                     {"Queries", "", "", "Rows", kNoRange,
                      "Query rows of the bin; in lengths.csv those of the bins that have a value."}),
       integerColumn(
           "keys", [](Row r) { return r.head.plasticity.bins[r.index].keys; },
           {"Eligible keys", "", "", "Rows", kNoRange,
            "Key rows that lie before the bin, and inside the layer's attention window where it has one."}),
       integerColumn("pairs", [](Row r) { return r.head.plasticity.bins[r.index].pairs; },
                     {"Eligible pairs", "", "", "Rows", kNoRange,
                      "Key pairs that the bin could use, before sampling."}),
       integerColumn(
           "pairs_used", [](Row r) { return r.head.plasticity.bins[r.index].pairsUsed; },
           {"Pairs used", "", "", "Rows", kNoRange,
            "Key pairs that were valued and kept; below a threshold, those that would have been drawn.", "",
            "Views fade bins with fewer than 200."}),
       integerColumn("pairs_dropped", [](Row r) { return r.head.plasticity.bins[r.index].pairsDropped; },
                     {"Pairs dropped", "", "", "Rows", kNoRange,
                      "Key pairs left out because the queries' scores do not vary beyond rounding."}),
       realColumn(
           "ap", [](Row r) { return r.head.plasticity.bins[r.index].ap; },
           {"AP of the bin", "AP", "", "Plasticity", kShare,
            "Mean plasticity of the bin's key pairs; empty below the thresholds min_queries and min_pairs.",
            "mean PP over the kept pairs; PP = 4 Φ(z) Φ(−z)",
            "Variance thesis depends on the basis of the content coordinates; full and empirical do not."}),
       realColumn("tau_mean", [](Row r) { return r.head.plasticity.bins[r.index].tauMean; },
                  {"Mean query position", "mean <i>t</i><sub>Q</sub>", "tokens", "Profile", kNoRange,
                   "Mean position of the queries in the bin."}),
       integerColumn(
           "n_texts", [](Row r) { return r.head.plasticity.bins[r.index].texts; }, kTextsInfo),
       wordColumn(
           "texts_differ", [](Row r) { return yesNo(r.head.plasticity.bins[r.index].textsDiffer); },
           kTextsDifferInfo),
       realColumn("ap_aligned", alignedAt,
                  {"AP aligned", "AP", "", "Plasticity", kShare,
                   "Aligned plasticity of the aligned bin that holds the query position; its own bins are in "
                   "profile_aligned.csv."}),
       integerColumn("ap_aligned_texts", alignedTextsAt,
                     {"Texts of the aligned bin", "", "", "Rows", kNoRange,
                      "Different texts that the queries of that aligned bin come from."}),
       realColumn("ap_position_alone", positionAloneAt, kPositionAloneInfo),
       realColumn(
           "reach", [](Row r) { return r.head.plasticity.bins[r.index].reach; }, kReachInfo),
       realColumn("ap_reach",
                  [](Row r) {
                    const BinResult& bin = r.head.plasticity.bins[r.index];
                    return bin.ap * bin.reach;
                  },
                  {"AP of the bin times reach", "AP × reach", "", "Reach", kShare,
                   "Plasticity of the bin times its reach: as if keys out of sight had a fixed order.",
                   "ap · reach"})});
  return table;
}

AnalysisTable alignedProfileDefinition() {
  AnalysisTable table = tableOfHeads({"profile_aligned", "one row per head and aligned query bin",
                                      "Aligned plasticity over query position.", AnalysisStage::Plasticity,
                                      [](Row r) -> std::size_t { return r.head.aligned.bins.size(); }});
  table.wanted = [](const HeadResult& head) { return !head.aligned.bins.empty(); };
  const auto whole = [](const char* name, std::int64_t (*value)(Row)) {
    return integerColumn(name, value, explainedIn("profile"));
  };
  const auto real = [](const char* name, double (*value)(Row)) {
    return realColumn(name, value, explainedIn("profile"));
  };
  table.add({whole("bin", [](Row r) { return asInteger(r.index); }),
             real("start", [](Row r) { return r.head.aligned.bins[r.index].start; }),
             real("end", [](Row r) { return r.head.aligned.bins[r.index].end; }),
             real("tau", [](Row r) { return r.head.aligned.bins[r.index].tau.value(); }),
             whole("queries", [](Row r) { return r.head.aligned.bins[r.index].queries; }),
             whole("n_texts", [](Row r) { return r.head.aligned.bins[r.index].texts; }),
             wordColumn(
                 "texts_differ", [](Row r) { return yesNo(r.head.aligned.bins[r.index].textsDiffer); },
                 explainedIn("profile")),
             whole("keys", [](Row r) { return r.head.aligned.bins[r.index].keys; }),
             whole("pairs", [](Row r) { return r.head.aligned.bins[r.index].pairs; }),
             whole("pairs_used", [](Row r) { return r.head.aligned.bins[r.index].pairsUsed; }),
             whole("pairs_dropped", [](Row r) { return r.head.aligned.bins[r.index].pairsDropped; }),
             realColumn(
                 "ap_aligned", [](Row r) { return r.head.aligned.bins[r.index].ap; }, kAlignedInfo),
             real("ap_position_alone", [](Row r) { return r.head.aligned.positionAlone[r.index]; }),
             real("reach", [](Row r) { return r.head.aligned.bins[r.index].reach; }),
             realColumn("ap_aligned_reach",
                        [](Row r) {
                          const BinResult& bin = r.head.aligned.bins[r.index];
                          return bin.ap * bin.reach;
                        },
                        {"AP aligned times reach", "AP × reach", "", "Reach", kShare,
                         "Aligned plasticity of the bin times its reach.", "ap_aligned · reach"})});
  return table;
}

AnalysisTable lengthsDefinition() {
  AnalysisTable table = tableOfHeads(
      {"lengths", "one row per head and range", "Plasticity over ranges of position given in tokens.",
       AnalysisStage::Plasticity, [](Row r) -> std::size_t { return r.head.summary.lengths.size(); }});
  table.add({integerColumn("from", [](Row r) { return r.head.summary.lengths[r.index].from; },
                           {"From", "", "tokens", "Profile", kNoRange, "First position of the range."}),
             integerColumn("to", [](Row r) { return r.head.summary.lengths[r.index].to; },
                           {"To", "", "tokens", "Profile", kNoRange, "First position behind the range."}),
             integerColumn(
                 "queries", [](Row r) { return r.head.summary.lengths[r.index].mean.queries; },
                 explainedIn("profile")),
             realColumn("ap", [](Row r) { return r.head.summary.lengths[r.index].mean.ap; },
                        {"AP of the range", "AP", "", "Plasticity", kShare,
                         "Mean plasticity of the bins whose query position lies in the range.",
                         "plain mean of AP_b over from ≤ τ_b < to"}),
             realColumn("ap_aligned",
                        [](Row r) {
                          const std::vector<LengthMean>& lengths = r.head.aligned.summary.lengths;
                          return r.index < lengths.size() ? lengths[r.index].mean.ap : kMissing;
                        },
                        {"AP aligned of the range", "AP", "", "Plasticity", kShare,
                         "Mean aligned plasticity of the aligned bins whose midpoint lies in the range.",
                         "plain mean of AP_b over from ≤ τ_b < to"})});
  return table;
}

AnalysisTable recoveryDefinition() {
  AnalysisTable table =
      tableOfHeads({"bump", "one row per head", "Does plasticity come back in the middle of the window?",
                    AnalysisStage::Plasticity, oneRow});
  table.add({realColumn("dip", [](Row r) { return recoveryOf(r.head).dip; },
                        {"Dip", "", "", "Mid-context recovery", kShare,
                         "Mean plasticity of the fifth and sixth tenth of the window.", "mean(D5, D6)"}),
             realColumn("recovery", [](Row r) { return recoveryOf(r.head).recovery; },
                        {"Recovery", "", "", "Mid-context recovery", kSignedShare,
                         "How far plasticity comes back in the seventh and eighth tenth.",
                         "mean(D7, D8) − dip", "", "Positive: AP comes back after the middle."}),
             realColumn("collapse", [](Row r) { return recoveryOf(r.head).collapse; },
                        {"Collapse", "", "", "Mid-context recovery", kShare,
                         "Mean plasticity of the last two tenths of the window.", "mean(D9, D10)"}),
             wordColumn("recovers", [](Row r) { return recoversText(recoveryOf(r.head)); },
                        {"Recovers", "", "", "Mid-context recovery", kNoRange,
                         "Whether plasticity comes back: true or false; empty where a tenth is missing.",
                         "recovery > 0.005"})});
  return table;
}

AnalysisTable recoveryModelDefinition() {
  AnalysisTable table{"bump_model",
                      "one row",
                      "Mid-context recovery of the mean profile of all heads.",
                      AnalysisStage::Plasticity,
                      nullptr,
                      recoveryModelValues};
  table.add({givenColumn("dip", explainedIn("bump")), givenColumn("recovery", explainedIn("bump")),
             givenColumn("collapse", explainedIn("bump")), givenColumn("recovers", explainedIn("bump")),
             givenColumn("heads", {"Heads", "", "", "Summaries", kNoRange,
                                   "Heads that have the tenths that mid-context recovery needs."}),
             givenColumn("recovering_heads", {"Heads that recover", "", "", "Mid-context recovery", kNoRange,
                                              "Heads whose own profile recovers."})});
  return table;
}

namespace {

template <CellsOf cellsOf>
AnalysisTable mapOfHeads(const char* name, const char* text, bool explained) {
  AnalysisTable table =
      tableOfHeads({name, "one row per head and cell that has pairs", text, AnalysisStage::Plasticity,
                    [](Row r) -> std::size_t { return cellsOf(r.head).size(); }});
  const auto as = [explained](MetricInfo info) { return explained ? info : explainedIn("map"); };
  table.add({integerColumn(
                 "distance_cell", [](Row r) { return cellsOf(r.head)[r.index].distanceCell; },
                 as({"Cell of the key distance", "", "", "Map", kNoRange,
                     "Cell of the distance between the two keys, from 0.", "⌊|t_i − t_j| / cell⌋"})),
             integerColumn(
                 "midpoint_cell", [](Row r) { return cellsOf(r.head)[r.index].midpointCell; },
                 as({"Cell of the midpoint distance", "", "", "Map", kNoRange,
                     "Cell of the distance from the query to the midpoint of the keys, from 0.",
                     "⌊(τ_b − (t_i + t_j) / 2) / cell⌋"})),
             integerColumn(
                 "pairs", [](Row r) { return cellsOf(r.head)[r.index].pairs; },
                 as({"Pairs in the cell", "", "", "Rows", kNoRange, "Key pairs that fall into the cell.", "",
                     "Views hide cells with fewer than 30."})),
             realColumn(
                 "pp", [](Row r) { return meanPlasticity(cellsOf(r.head)[r.index]); },
                 as({"Mean PP", "PP", "", "Plasticity", kShare, "Mean pairwise plasticity of the cell.",
                     "Σ PP / pairs"}))});
  return table;
}

template <CellsOf cellsOf>
AnalysisTable mapOfModel(const char* name, const char* text) {
  AnalysisTable table{name,    "one row per cell that has pairs",
                      text,    AnalysisStage::Plasticity,
                      nullptr, mapModelValues<cellsOf>};
  table.add({givenColumn("distance_cell", explainedIn("map")),
             givenColumn("midpoint_cell", explainedIn("map")), givenColumn("pairs", explainedIn("map")),
             givenColumn("pp", explainedIn("map"))});
  return table;
}

bool hasAlignedCells(const HeadResult& head) {
  return !head.aligned.cells.empty();
}

}  // namespace

AnalysisTable mapDefinition() {
  return mapOfHeads<binnedCells>(
      "map", "Plasticity by the distance between the two keys and from the query to their midpoint.", true);
}

AnalysisTable mapModelDefinition() {
  return mapOfModel<binnedCells>(
      "map_model",
      "The map of all heads together: every pair weighs the same, or every head with "
      "map_aggregation head_mean.");
}

AnalysisTable alignedMapDefinition() {
  AnalysisTable table = mapOfHeads<alignedCells>(
      "map_aligned",
      "Aligned plasticity by the distance between the two keys and from the query to their midpoint.", false);
  table.wanted = hasAlignedCells;
  return table;
}

AnalysisTable alignedMapModelDefinition() {
  AnalysisTable table =
      mapOfModel<alignedCells>("map_aligned_model", "The aligned map of all heads together, as map_model.");
  table.wanted = hasAlignedCells;
  return table;
}

}  // namespace plastiscope
