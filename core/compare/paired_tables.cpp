// Tables that compare every input with the first head by head, over the heads common to all inputs.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/analysis/statistics.h"
#include "core/base/random.h"
#include "core/compare/comparison_tables.h"
#include "core/compare/correlation.h"
#include "core/compare/measures.h"

namespace plastiscope {

namespace {

constexpr std::uint64_t kHeadDraws = 0x6865616473u;  // key of random numbers

// Rows of the common heads in each input.
class CommonRows {
 public:
  explicit CommonRows(const Comparison& comparison)
      : m_comparison(comparison), m_heads(commonHeads(comparison)) {
    for (const ComparedModel& model : comparison.models) {
      const auto places = headPlaces(model);
      std::vector<std::size_t>& rows = m_rows.emplace_back();
      for (const HeadName& head : m_heads) rows.push_back(places.at(head));
    }
  }
  const std::vector<HeadName>& heads() const { return m_heads; }
  double value(std::size_t model, std::size_t metric, std::size_t head) const {
    return m_comparison.models[model].values[metric][m_rows[model][head]];
  }

 private:
  const Comparison& m_comparison;
  std::vector<HeadName> m_heads;
  std::vector<std::vector<std::size_t>> m_rows;  // [models][heads]
};

// Counts of each head in each bootstrap resample; the same draws for every metric and input.
class HeadResamples {
 public:
  HeadResamples(std::size_t heads, const ComparisonOptions& options) : m_heads(heads) {
    const auto resamples = static_cast<std::size_t>(std::max(0, heads > 0 ? options.resamples : 0));
    m_counts.assign(resamples * heads, 0);
    for (std::size_t r = 0; r < resamples; ++r) {
      PairGenerator generator(
          combine(combine(combine(kSeedStart, mix64(options.seed)), mix64(kHeadDraws)), mix64(r)));
      for (std::size_t i = 0; i < heads; ++i) m_counts[r * heads + generator.below(heads)] += 1;
    }
  }

  // Percentile interval of the resampled means; heads with missing values are left out.
  Interval meanInterval(const std::vector<double>& values) const {
    std::vector<double> present(values), weight(values.size(), 1), means;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) present[i] = weight[i] = 0;
    }
    for (std::size_t start = 0; start < m_counts.size(); start += m_heads) {
      double sum = 0, count = 0;
      for (std::size_t i = 0; i < m_heads; ++i) {
        sum += m_counts[start + i] * present[i];
        count += m_counts[start + i] * weight[i];
      }
      if (count > 0) means.push_back(sum / count);
    }
    return percentileInterval(means);
  }

 private:
  std::size_t m_heads;
  std::vector<double> m_counts;  // [resamples * heads]
};

// Heads with a value in both inputs.
struct PairedValues {
  std::vector<double> first, other, difference;
  std::vector<double> differenceOfAll;  // [common heads], NaN if either is missing
};

PairedValues pairsOf(const CommonRows& rows, std::size_t model, std::size_t metric) {
  PairedValues pairs;
  for (std::size_t h = 0; h < rows.heads().size(); ++h) {
    const double first = rows.value(0, metric, h), other = rows.value(model, metric, h);
    pairs.differenceOfAll.push_back(other - first);
    if (!std::isfinite(other - first)) continue;
    pairs.first.push_back(first);
    pairs.other.push_back(other);
    pairs.difference.push_back(other - first);
  }
  return pairs;
}

std::vector<Cell> pairedCells(const PairedValues& pairs, const Interval& interval) {
  const Spread spread = spreadOf(pairs.difference);
  const auto n = static_cast<double>(spread.count);
  // The heads are a sample of the model's, hence divisor n - 1.
  const double sd = spread.count > 1 ? spread.sd * std::sqrt(n / (n - 1)) : kMissing;
  const auto rose =
      std::count_if(pairs.difference.begin(), pairs.difference.end(), [](double d) { return d > 0; });
  return {spread.count,
          meanOfPresent(pairs.first),
          meanOfPresent(pairs.other),
          spread.mean,
          sd,
          sd / std::sqrt(n),
          interval.low,
          interval.high,
          pearsonOf(pairs.first, pairs.other),
          spearmanOf(pairs.first, pairs.other),
          spread.count > 0 ? static_cast<double>(rose) / n : kMissing};
}

}  // namespace

Table pairedHeadsTable(const Comparison& comparison) {
  const CommonRows rows(comparison);
  std::vector<Column> columns = {integers("layer"), integers("head"), texts("metric")};
  for (const ComparedModel& model : comparison.models) columns.push_back(numbers(model.name));
  for (std::size_t i = 1; i < comparison.models.size(); ++i)
    columns.push_back(numbers(comparison.models[i].name + "_difference"));
  TableBuilder table("paired_heads", columns);
  for (std::size_t h = 0; h < rows.heads().size(); ++h) {
    for (std::size_t m = 0; m < comparison.metrics.size(); ++m) {
      std::vector<Cell> cells = {rows.heads()[h].layer, rows.heads()[h].head, comparison.metrics[m]};
      const double first = rows.value(0, m, h);
      for (std::size_t i = 0; i < comparison.models.size(); ++i) cells.emplace_back(rows.value(i, m, h));
      for (std::size_t i = 1; i < comparison.models.size(); ++i)
        cells.emplace_back(rows.value(i, m, h) - first);
      table.row(cells);
    }
  }
  return table.take();
}

namespace {

// Tests over texts of the means over common heads, against the first input: [metrics].
std::vector<TextTest> testedMetrics(const Comparison& comparison, const std::vector<HeadName>& heads,
                                    const ComparedModel& other) {
  const bool crossed = comparison.options.interval == DifferencesOver::ByTextsAndHeads;
  const ComparedModel& first = comparison.models.front();
  std::vector<TextDifference> differences;
  std::vector<std::optional<double>> margins;
  for (const std::string& metric : comparison.metrics) {
    margins.push_back(marginOf(metric, comparison.options));
    differences.emplace_back();
    if (!hasOtherBins(first, other, metric))
      differences.back() =
          differenceOverHeads(textValues(first, metric, heads), textValues(other, metric, heads), crossed);
  }
  return testAll(differences, margins, comparison.options.seed);
}

IntervalOver intervalsOver(DifferencesOver over) {
  constexpr std::array kOver = {IntervalOver::ByTexts, IntervalOver::Heads, IntervalOver::ByTextsAndHeads};
  return kOver.at(static_cast<std::size_t>(over));
}

}  // namespace

Table pairedTable(const Comparison& comparison) {
  const CommonRows rows(comparison);
  const bool overHeads = comparison.options.interval == DifferencesOver::ByHeads;
  const HeadResamples resamples(overHeads ? rows.heads().size() : 0, comparison.options);
  const ComparedModel& first = comparison.models.front();
  const std::size_t metrics = comparison.metrics.size();
  std::vector<std::vector<TextTest>> tests;  // [models][metrics]
  for (const ComparedModel& model : comparison.models)
    tests.push_back(overHeads || &model == &first ? std::vector<TextTest>(metrics)
                                                  : testedMetrics(comparison, rows.heads(), model));
  TableBuilder table(
      "paired",
      {texts("metric"), texts("against"), integers("heads"), numbers("first_mean"), numbers("mean"),
       numbers("mean_difference"), numbers("sd"), numbers("standard_error"), numbers("low"), numbers("high"),
       numbers("pearson"), numbers("spearman"), numbers("rose_share"), texts("interval_over"), numbers("p"),
       numbers("p_adjusted"), numbers("equivalent_p"), texts("verdict")});
  for (std::size_t m = 0; m < metrics; ++m) {
    for (std::size_t i = 1; i < comparison.models.size(); ++i) {
      const PairedValues pairs = pairsOf(rows, i, m);
      const TextTest& test = tests[i][m];
      const Interval interval = overHeads ? resamples.meanInterval(pairs.differenceOfAll) : test.interval;
      std::vector<Cell> cells = {comparison.metrics[m], comparison.models[i].name};
      const std::vector<Cell> numbersOfPair = pairedCells(pairs, interval);
      cells.insert(cells.end(), numbersOfPair.begin(), numbersOfPair.end());
      const bool otherBins = hasOtherBins(first, comparison.models[i], comparison.metrics[m]);
      cells.insert(cells.end(), {overName(interval, intervalsOver(comparison.options.interval)), test.p,
                                 test.adjustedP, test.equivalentP, otherBins ? kOtherBins : test.verdict});
      table.row(cells);
    }
  }
  return table.take();
}

Table pairedHeadTestsTable(const Comparison& comparison) {
  const std::vector<HeadName> heads = commonHeads(comparison);
  TableBuilder table("paired_heads_tests",
                     {integers("layer"), integers("head"), texts("metric"), texts("against"),
                      numbers("difference"), numbers("low"), numbers("high"), texts("interval_over"),
                      numbers("p"), numbers("p_adjusted"), texts("verdict")});
  for (const std::string metric :
       {"ap_aligned", "ap_aligned_first20", "ap_aligned_last20", "ap_aligned_drop"}) {
    const std::vector<TextValue> before = textValues(comparison.models.front(), metric, heads);
    for (std::size_t i = 1; i < comparison.models.size() && comparison.has(metric); ++i) {
      const std::vector<TextValue> after = textValues(comparison.models[i], metric, heads);
      std::vector<TextDifference> differences;
      for (std::size_t h = 0; h < heads.size(); ++h) differences.push_back(differenceOf(before[h], after[h]));
      const std::vector<std::optional<double>> margins(heads.size(), marginOf(metric, comparison.options));
      const std::vector<TextTest> tests = testAll(differences, margins, comparison.options.seed);
      for (std::size_t h = 0; h < heads.size(); ++h) {
        const TextTest& test = tests[h];
        table.row({heads[h].layer, heads[h].head, metric, comparison.models[i].name, test.difference,
                   test.interval.low, test.interval.high, overName(test.interval, IntervalOver::ByTexts),
                   test.p, test.adjustedP, test.verdict});
      }
    }
  }
  return table.take();
}

}  // namespace plastiscope
