// softmax.csv: attention weights and softmax plasticity over query position, of heads captured at every
// position (method.md, Softmax by position).
#include "core/analysis/tables/definitions.h"

namespace plastiscope {

namespace {

const SoftmaxRow& rowOf(Row r) {
  return r.head.softmax->rows[r.index];
}

template <SoftmaxValue value>
TableColumn columnOf(MetricInfo info) {
  return realColumn(
      namesOf(value)[static_cast<std::size_t>(value)], [](Row r) { return rowOf(r).of(value); },
      std::move(info));
}

// Weight of some of the keys: its title and formula.
template <SoftmaxValue value>
TableColumn weightOf(const std::string& title, const char* meaning, const char* formula) {
  return columnOf<value>({title, "", "", "Attention", kShare, meaning, formula});
}

void appendIntervals(const TableInput& input, Table& table) {
  for (std::size_t v = 0; v < kSoftmaxValues; ++v) {
    Numbers low, high;
    for (const HeadResult& head : input.heads) {
      if (!head.softmax) continue;
      for (const SoftmaxRow& row : head.softmax->rows) {
        low.push_back(row.interval[v].low);
        high.push_back(row.interval[v].high);
      }
    }
    const std::string name = namesOf(SoftmaxValue())[v];
    table.columns.push_back({name + kLowEnding, std::move(low)});
    table.columns.push_back({name + kHighEnding, std::move(high)});
  }
}

}  // namespace

AnalysisTable softmaxDefinition() {
  using enum SoftmaxValue;
  AnalysisTable table = tableOfHeads(
      {"softmax", "one row per head of --dense and aligned query bin, and one for all bins",
       "Attention weights and softmax plasticity over query position.", AnalysisStage::Plasticity,
       [](Row r) -> std::size_t { return r.head.softmax ? r.head.softmax->rows.size() : 0; }, nullptr,
       appendIntervals, [](const HeadResult& head) { return head.softmax.has_value(); }});
  table.add(
      {wordColumn("bin",
                  [](Row r) {
                    const bool isAll = r.index + 1 == r.head.softmax->rows.size();
                    return isAll ? std::string("all") : std::to_string(r.index);
                  },
                  {"Query bin", "", "", "Profile", kNoRange,
                   "Number of the query bin in profile_aligned.csv, or all: means over the bins with a "
                   "value."}),
       realColumn(
           "start", [](Row r) { return rowOf(r).start; }, explainedIn("profile")),
       realColumn(
           "end", [](Row r) { return rowOf(r).end; }, explainedIn("profile")),
       realColumn(
           "tau", [](Row r) { return rowOf(r).tau; }, explainedIn("profile")),
       integerColumn("queries", [](Row r) { return rowOf(r).queries; },
                     {"Evaluated queries", "", "", "Rows", kNoRange,
                      "Queries of the bin whose attention was evaluated: at most 16 per text."}),
       integerColumn("query_pairs", [](Row r) { return rowOf(r).queryPairs; },
                     {"Pairs of queries", "", "", "Rows", kNoRange,
                      "Pairs of these queries, of one text each, that see a common key."}),
       integerColumn("n_texts", [](Row r) { return rowOf(r).texts; },
                     {"Texts", "", "", "Rows", kNoRange, "Different texts that these queries come from."}),
       realColumn(
           "ap_aligned", [](Row r) { return rowOf(r).of(PairPlasticity); }, explainedIn("profile_aligned")),
       columnOf<Plasticity>(
           {"Softmax plasticity", "SP", "", "Attention", kShare,
            "Attention that two queries of one text put on different keys, a mean over pairs of queries; the "
            "later query is moved to the position of the earlier one, and both weigh the keys that both see.",
            "mean 1 − Σ_j min(a_j, a′_j)",
            "Unlike PP it depends on the temperature of the softmax, and on how many keys there are."}),
       columnOf<BinnedPlasticity>({"Softmax plasticity, binned", "SP<sub>binned</sub>", "", "Attention",
                                   kShare, "The same with both queries at their own positions.",
                                   "mean 1 − Σ_j min(a_j, a′_j)",
                                   "Counts position within the bin as content."}),
       columnOf<WeightedPlasticity>(
           {"Attention-weighted PP", "PP<sub>attention</sub>", "", "Plasticity", kShare,
            "Plasticity of key pairs weighted by the product of their attention weights: of the keys that "
            "the softmax sees, not of all.",
            "mean over queries of Σ_{i≠j} a_i a_j PP_ij / Σ_{i≠j} a_i a_j",
            "From 32 drawn pairs of one query per text. May come out a little above 1."}),
       columnOf<Entropy>({"Attention entropy", "entropy", "nat", "Attention", kNoRange,
                          "Entropy of the attention weights of a query, a mean over queries.",
                          "mean −Σ_j a_j ln a_j", "Its maximum, ln n, grows with the number of keys."}),
       columnOf<EffectiveKeys>({"Effective share of keys", "effective share", "", "Attention", kShare,
                                "Number of equally weighted keys with the same entropy (Hill 1973, Diversity "
                                "and Evenness), over the number of keys that the query sees.",
                                "mean exp(entropy) / n"}),
       weightOf<Sink1>("Weight of the first token", "Attention on the first token of the text.", "mean a_0"),
       weightOf<Sink4>("Weight of the first 4 tokens", "Attention on the first 4 tokens of the text.",
                       "mean Σ a_j over j < 4"),
       weightOf<Sink16>("Weight of the first 16 tokens", "Attention on the first 16 tokens of the text.",
                        "mean Σ a_j over j < 16"),
       weightOf<Recent16>("Weight of the last 16 tokens",
                          "Attention on the last 16 tokens, the query's own included.",
                          "mean Σ a_j over j > i − 16"),
       weightOf<Recent256>("Weight of the last 256 tokens",
                           "Attention on the last 256 tokens, the query's own included.",
                           "mean Σ a_j over j > i − 256"),
       weightOf<Top32>("Weight of the top 32 keys", "Attention on the 32 keys with the largest weights.",
                       "mean of the sum of the 32 largest a_j"),
       columnOf<Distance>({"Attention distance", "distance", "tokens", "Attention", kNoRange,
                           "How far back a query looks, weighted by attention, a mean over queries.",
                           "mean Σ_j a_j (i − j)"})});
  return table;
}

}  // namespace plastiscope
