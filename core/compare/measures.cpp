#include "core/compare/measures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/analysis/columns.h"
#include "core/analysis/head_groups.h"
#include "core/compare/comparison_tables.h"
#include "core/compare/reference_data.h"

namespace plastiscope {

namespace {

constexpr const char* kUsualMetrics[] = {"ap_overall",  "ap_first20", "ap_last20",          "ap_drop",
                                         "bias_window", "abs_r_k_a",  "plane_var_fraction", "slope_ratio"};

// The same models with only these metrics, because resampling all takes long.
Comparison restricted(const Comparison& comparison, const std::vector<std::string>& metrics) {
  Comparison part = comparison;
  part.metrics = metrics;
  for (ComparedModel& model : part.models) {
    const auto all = std::move(model.values);
    model.values.clear();
    for (const std::string& metric : metrics) model.values.push_back(all[comparison.metric(metric)]);
  }
  return part;
}

KeyNumber keyNumberOf(const Comparison& part, std::size_t metric) {
  KeyNumber number;
  number.metric = describeMeasure(part.metrics[metric]);
  for (const ComparedModel& model : part.models) {
    Spread spread = spreadOf(model.values[metric]);
    if (model.published) spread.mean = publishedMiddle(model, part.metrics[metric]);
    number.mean.push_back(spread.mean);
    number.sd.push_back(spread.sd);
    number.heads.push_back(spread.count);
  }
  const std::size_t models = part.models.size();
  for (auto* values : {&number.difference, &number.low, &number.high}) values->assign(models, kMissing);
  number.paired.assign(models, 0);
  for (auto* words : {&number.over, &number.verdict}) words->resize(models);
  return number;
}

}  // namespace

std::vector<std::string> shownMetrics(const Comparison& comparison, const std::string& chosen) {
  std::vector<std::string> shown;
  if (comparison.has(chosen)) shown.push_back(chosen);
  for (const char* metric : kUsualMetrics) {
    const std::string usual = columnAs(comparison.plasticity.kind, metric);
    if (usual != chosen && comparison.has(usual)) shown.push_back(usual);
  }
  return shown;
}

Spread spreadOf(std::span<const double> values) {
  std::vector<double> present;
  for (const double value : values) {
    if (std::isfinite(value)) present.push_back(value);
  }
  Spread spread;
  spread.count = static_cast<std::int64_t>(present.size());
  if (present.empty()) return spread;
  const auto n = static_cast<double>(present.size());
  spread.mean = sumOf(present) / n;
  spread.sd = std::sqrt(squaredDeviations(present, spread.mean) / n);
  std::sort(present.begin(), present.end());
  spread.p25 = percentileOf(present, 0.25);
  spread.median = percentileOf(present, 0.5);
  spread.p75 = percentileOf(present, 0.75);
  return spread;
}

std::vector<Measure> measuresOf(const Comparison& comparison) {
  std::vector<Measure> measures;
  for (std::size_t m = 0; m < comparison.metrics.size(); ++m) {
    measures.push_back({m, comparison.metrics[m], false});
    if (isHeavyTailed(comparison.metrics[m]))
      measures.push_back({m, comparison.metrics[m] + kMedianEnding, true});
  }
  return measures;
}

Measured measure(const ComparedModel& model, const Measure& what, const std::vector<std::size_t>& heads) {
  std::vector<double> values;
  for (const std::size_t head : heads) values.push_back(model.values[what.metric][head]);
  if (!what.median) {
    Measured result;
    result.value = meanOfPresent(values, &result.heads);
    return result;
  }
  const Spread spread = spreadOf(values);
  return {spread.median, spread.count};
}

std::vector<std::size_t> allHeads(const ComparedModel& model) {
  std::vector<std::size_t> heads(model.heads.size());
  std::iota(heads.begin(), heads.end(), std::size_t{0});
  return heads;
}

std::map<HeadName, std::size_t> headPlaces(const ComparedModel& model) {
  std::map<HeadName, std::size_t> places;
  for (std::size_t h = 0; h < model.heads.size(); ++h) places[model.heads[h]] = h;
  return places;
}

std::map<std::int64_t, std::vector<std::size_t>> headsByDecile(const ComparedModel& model) {
  std::map<std::int64_t, std::vector<std::size_t>> deciles;
  for (std::size_t h = 0; h < model.heads.size(); ++h)
    deciles[depthDecile(model.heads[h].layer, model.facts.layers)].push_back(h);
  return deciles;
}

double publishedMiddle(const ComparedModel& model, const std::string& metric) {
  return referenceNumber(model.reference->id, metric).at(0);
}

std::string comparedText(double value, const MetricInfo& metric, bool published) {
  if (!published || metric.column != "bias_window" || !(std::fabs(value) > 0))
    return metricText(value, metric);
  const double unit = std::pow(10, std::floor(std::log10(std::fabs(value))) - 1);
  return metricText(std::round(value / unit) * unit, metric);
}

MetricInfo describeMeasure(const std::string& column) {
  const auto made = [&column](const char* of, const std::string& words, const std::string& label) {
    MetricInfo metric = describeMetric(of);
    metric.column = column;
    metric.title = words;
    metric.label = label;
    metric.isSigned = false;
    if (metric.range) metric.range->first = 0;
    return metric;
  };
  if (column == "abs_r_q_a")
    return made("r_q_a", "|r| of queries on a", "mean |<i>r</i><sub>Q</sub><sup>a</sup>|");
  if (column == "abs_r_k_a")
    return made("r_k_a", "|r| of keys on a", "mean |<i>r</i><sub>K</sub><sup>a</sup>|");
  if (column == "slope_ratio_median") return made("slope_ratio", "Median slope ratio", "median slope ratio");
  return describeMetric(column);
}

ComparedColumn comparedColumn(const Comparison& comparison, const std::string& name) {
  const std::size_t index = comparison.metric(name);
  ComparedColumn found{describeMeasure(name),
                       usesMedian(name),
                       {},
                       commonIntervals(comparison, name, modelIntervals),
                       {},
                       {},
                       {}};
  for (const ComparedModel& model : comparison.models) {
    found.values.push_back(model.values[index]);
    const Spread& spread = found.spread.emplace_back(spreadOf(found.values.back()));
    const double published = model.published ? publishedMiddle(model, name) : kMissing;
    found.middle.push_back(spread.count == 0 ? published : found.median ? spread.median : spread.mean);
    found.intervals.push_back(
        model.published ? Interval() : modelInterval(*model.analysis, model.values[index], name, found.over));
  }
  return found;
}

IntervalOver commonIntervals(const Comparison& comparison, const std::string& column,
                             IntervalOver (*intervalsOf)(const AnalysisFile&, const std::string&)) {
  const bool examples = std::ranges::all_of(comparison.models, [&](const ComparedModel& model) {
    return model.published || intervalsOf(*model.analysis, column) == IntervalOver::Examples;
  });
  return examples ? IntervalOver::Examples : usesMedian(column) ? IntervalOver::None : IntervalOver::Heads;
}

std::vector<KeyNumber> keyNumbers(const Comparison& comparison, const std::string& chosen) {
  const Comparison part = restricted(comparison, shownMetrics(comparison, chosen));
  std::vector<KeyNumber> numbers;
  for (std::size_t m = 0; m < part.metrics.size(); ++m) numbers.push_back(keyNumberOf(part, m));
  // Published models have no heads to pair.
  Comparison own = part;
  std::erase_if(own.models, [](const ComparedModel& model) { return model.published; });
  if (own.models.size() < 2 || part.models.front().published) return numbers;
  const Table paired = pairedTable(own);
  for (std::size_t row = 0; row < paired.rows(); ++row) {
    KeyNumber& number = numbers[part.metric(paired.texts("metric")[row])];
    for (std::size_t i = 1; i < part.models.size(); ++i) {
      if (part.models[i].name != paired.texts("against")[row]) continue;
      number.difference[i] = paired.numbers("mean_difference")[row];
      number.low[i] = paired.numbers("low")[row];
      number.high[i] = paired.numbers("high")[row];
      number.paired[i] = paired.integers("heads")[row];
      number.over[i] = paired.texts("interval_over")[row];
      number.verdict[i] = paired.texts("verdict")[row];
    }
  }
  return numbers;
}

// ---- Tests of differences over the texts of both models (text_inference.h)

namespace {

constexpr double kApMargin = 0.02;

bool isAp(const std::string& metric) {
  return metric.starts_with("ap_");
}

// Aligned values (resources/help/metrics.md) do not depend on bins.
bool isBinned(const std::string& metric) {
  constexpr const char* kAligned[] = {"ap_aligned", "ap_same_position", "ap_one_vector"};
  return isAp(metric) &&
         std::ranges::none_of(kAligned, [&](const char* start) { return metric.starts_with(start); });
}

}  // namespace

std::optional<double> marginOf(const std::string& metric, const ComparisonOptions& options) {
  return options.margin || !isAp(metric) ? options.margin : std::optional(kApMargin);
}

std::vector<TextValue> textValues(const ComparedModel& model, const std::string& metric,
                                  const std::vector<HeadName>& heads) {
  std::map<HeadName, std::size_t> places = headPlaces(model);
  const std::vector<TextValue> all = model.replicates->heads(metric);
  std::vector<TextValue> values;
  for (const HeadName& head : heads)
    values.push_back(places.contains(head) ? all[places[head]] : TextValue());
  return values;
}

bool hasOtherBins(const ComparedModel& first, const ComparedModel& other, const std::string& metric) {
  return isBinned(metric) && first.bins > 0 && other.bins > 0 && first.bins != other.bins;
}

std::string otherBinsText(const Comparison& comparison) {
  const ComparedModel* first = leaderOf(comparison);
  for (const ComparedModel& model : comparison.models) {
    if (first == nullptr || !hasOtherBins(*first, model, "ap_overall")) continue;
    return "binned AP is not comparable: bins is " + std::to_string(first->bins) + " in " + first->name +
           " and " + std::to_string(model.bins) + " in " + model.name + "; analyse all with --bins " +
           std::to_string(std::min(first->bins, model.bins)) + " (aligned AP is comparable)";
  }
  return {};
}

std::string untestedText(const Comparison& comparison) {
  const auto untested = std::ranges::count_if(comparison.metrics, [&](const std::string& metric) {
    return std::ranges::any_of(comparison.models, [&](const ComparedModel& model) {
      return !model.published && !model.replicates->has(metric) &&
             !hasOtherBins(comparison.models.front(), model, metric);
    });
  });
  if (untested == 0 || comparison.models.size() < 2) return {};
  return std::to_string(untested) + " of " + std::to_string(comparison.metrics.size()) +
         " metrics have no interval over texts: analyse captures of two texts or more with --interval "
         "jackknife "
         "and compare the analyses";
}

}  // namespace plastiscope
