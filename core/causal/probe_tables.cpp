#include "core/causal/probe_tables.h"

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <map>

#include "core/analysis/statistics.h"
#include "core/base/error.h"
#include "core/compare/text_inference.h"

namespace plastiscope {

namespace {

constexpr int kNewTokens = -1;  // band of tokens that occur for the first time

// Probes, or tokens of texts, that share a row.
struct RowKey {
  ProbeKind kind;
  ProbeCondition condition;
  std::int64_t length = 0;  // 0: any
  double depth = 0;
  int band = 0;  // of the kind text: distances from 2^band to below 2^(band + 1)
  auto operator<=>(const RowKey&) const = default;
};

struct Scores {
  double nll = 0, tokens = 0, right = 0;
  double all = 1;  // 1 if every token is right
};

struct Row {
  std::map<std::int64_t, Scores> replicates;
  std::vector<double> ranks;
  Extent distance;
};

std::map<RowKey, Row> rowsOf(std::span<const ProbeText> probes, std::span<const Outcomes> outcomes) {
  std::map<RowKey, Row> rows;
  for (std::size_t p = 0; p < probes.size(); ++p) {
    const ProbeText& probe = probes[p];
    if (outcomes[p].size() != probe.scored.size())
      throw Error(ErrorKind::Internal, "probe " + probe.id + " lacks outcomes");
    for (std::size_t i = 0; i < probe.scored.size(); ++i) {
      RowKey key{probe.kind, probe.condition, probe.length, probe.depth};
      std::int64_t distance = probe.distance;
      if (probe.kind == ProbeKind::Text) {
        const bool isNew = probe.copied[i] < 0;
        distance = probe.scored[i] - probe.copied[i];
        const int octave = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(distance))) - 1;
        key = {probe.kind, isNew ? ProbeCondition::Absent : ProbeCondition::Present, 0, 0,
               isNew ? kNewTokens : octave};
      }
      Row& row = rows[key];
      if (key.band != kNewTokens) row.distance.add(static_cast<double>(distance));
      const TokenOutcome& outcome = outcomes[p][i];
      const double right = outcome.rank == 1 ? 1 : 0;
      row.ranks.push_back(outcome.rank);
      Scores& scores = row.replicates[probe.replicate];
      scores.nll += outcome.nll;
      ++scores.tokens;
      scores.right += right;
      scores.all *= right;
    }
  }
  return rows;
}

// ---- means over replicates

using Sums = std::array<double, 2>;  // numerator and denominator of one replicate

Sums nllOf(const Scores& scores) {
  return {scores.nll, scores.tokens};
}
Sums accuracyOf(const Scores& scores) {
  return {scores.all, 1};
}

TextValue ratioOf(const Row& row, Sums (*sums)(const Scores&)) {
  std::vector<Sums> replicates;
  for (const auto& [replicate, scores] : row.replicates) replicates.push_back(sums(scores));
  return ratioOverTexts(replicates);
}

Interval intervalOf(const TextValue& value) {
  return testOf(differenceFromZero(value)).interval;
}

// ---- tables

// Columns that name a row, and their values.
std::vector<Column> named(const char* condition, std::vector<Column> more) {
  std::vector<Column> columns = {texts("kind"),    texts(condition),         numbers("length"),
                                 numbers("depth"), numbers("from_distance"), numbers("to_distance"),
                                 integers("texts")};
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}
std::vector<Cell> cellsOf(const RowKey& key, const Row& row, std::vector<Cell> more) {
  const bool text = key.kind == ProbeKind::Text, known = row.distance.known();
  std::vector<Cell> cells = {nameOf(key.kind),
                             nameOf(key.condition),
                             text ? kMissing : static_cast<double>(key.length),
                             text ? kMissing : key.depth,
                             known ? row.distance.low : kMissing,
                             known ? row.distance.high : kMissing,
                             std::ssize(row.replicates)};
  cells.insert(cells.end(), more.begin(), more.end());
  return cells;
}

Table probesTable(const std::map<RowKey, Row>& rows) {
  TableBuilder table(
      "probes", named("condition", {integers("tokens"), numbers("nll"), numbers("nll_low"),
                                    numbers("nll_high"), numbers("accuracy"), numbers("accuracy_low"),
                                    numbers("accuracy_high"), numbers("token_accuracy"), numbers("rank")}));
  for (const auto& [key, row] : rows) {
    Scores sum{0, 0, 0, 0};
    for (const auto& [replicate, scores] : row.replicates) {
      sum.right += scores.right;
      sum.all += scores.all;
    }
    const TextValue nll = ratioOf(row, nllOf);
    const Interval error = intervalOf(nll);
    const auto count = static_cast<double>(row.replicates.size()),
               tokens = static_cast<double>(row.ranks.size());
    const Interval share = wilsonInterval(sum.all, count);
    table.row(cellsOf(key, row,
                      {std::ssize(row.ranks), nll.value, error.low, error.high, sum.all / count, share.low,
                       share.high, sum.right / tokens, medianOfPresent(row.ranks)}));
  }
  return table.take();
}

Table benefitTable(const std::map<RowKey, Row>& rows) {
  TableBuilder table("benefit",
                     named("control", {numbers("nll_benefit"), numbers("nll_benefit_low"),
                                       numbers("nll_benefit_high"), numbers("accuracy_benefit"),
                                       numbers("accuracy_benefit_low"), numbers("accuracy_benefit_high")}));
  for (const auto& [key, control] : rows) {
    RowKey with = key;
    with.condition = ProbeCondition::Present;
    const auto present = rows.find(with);
    if (key.condition == with.condition || key.kind == ProbeKind::Text || present == rows.end()) continue;
    const TextTest nll = testOf(differenceOf(ratioOf(present->second, nllOf), ratioOf(control, nllOf)));
    const TextTest accuracy =
        testOf(differenceOf(ratioOf(control, accuracyOf), ratioOf(present->second, accuracyOf)));
    table.row(cellsOf(key, control,
                      {nll.difference, nll.interval.low, nll.interval.high, accuracy.difference,
                       accuracy.interval.low, accuracy.interval.high}));
  }
  return table.take();
}

// Rows of the probes for which `counts` is true.
template <typename Counts>
void addRetrieval(TableBuilder& table, const std::string& kind, std::span<const ProbeText> probes,
                  std::span<const Retrieval> retrieval, Counts counts) {
  std::map<std::int64_t, Retrieval> replicates;
  std::map<HeadName, double> hits;
  double queries = 0;
  for (std::size_t p = 0; p < retrieval.size(); ++p) {
    if (retrieval[p].queries == 0 || !counts(probes[p])) continue;
    Retrieval& sum = replicates[probes[p].replicate];
    sum.queries += retrieval[p].queries;
    queries += static_cast<double>(retrieval[p].queries);
    for (const auto& [head, count] : retrieval[p].hits) {
      sum.hits[head] += count;
      hits[head] += static_cast<double>(count);
    }
  }
  for (const auto& [head, count] : hits) {
    std::vector<Sums> sums;
    for (auto& [replicate, sum] : replicates)
      sums.push_back({static_cast<double>(sum.hits[head]), static_cast<double>(sum.queries)});
    const Interval interval = intervalOf(ratioOverTexts(sums));
    table.row({kind, head.layer, head.head, static_cast<std::int64_t>(queries), std::ssize(sums),
               count / queries, std::max(interval.low, 0.0), std::min(interval.high, 1.0)});
  }
}

Table retrievalTable(std::span<const ProbeText> probes, std::span<const Retrieval> retrieval) {
  TableBuilder table("retrieval",
                     {texts("kind"), integers("layer"), integers("head"), integers("queries"),
                      integers("texts"), numbers("score"), numbers("score_low"), numbers("score_high")});
  addRetrieval(table, "all", probes, retrieval, [](const ProbeText&) { return true; });
  for (std::size_t kind = 0; kind < namesOf(ProbeKind()).size(); ++kind) {
    const auto one = static_cast<ProbeKind>(kind);
    addRetrieval(table, nameOf(one), probes, retrieval,
                 [one](const ProbeText& probe) { return probe.kind == one; });
  }
  return table.take();
}

}  // namespace

std::vector<Table> probeTables(std::span<const ProbeText> probes, std::span<const Outcomes> outcomes,
                               std::span<const Retrieval> retrieval) {
  const std::map<RowKey, Row> rows = rowsOf(probes, outcomes);
  return {probesTable(rows), benefitTable(rows), retrievalTable(probes, retrieval)};
}

std::vector<std::string> probeTableNames() {
  return {"probes", "benefit", "retrieval"};
}

}  // namespace plastiscope
