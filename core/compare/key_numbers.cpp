#include "core/compare/key_numbers.h"

#include <algorithm>

#include "core/compare/comparison_tables.h"
#include "core/compare/measures.h"

namespace plastiscope {

namespace {

constexpr const char* kUsualMetrics[] = {"ap_overall",  "ap_first20", "ap_last20",          "ap_drop",
                                         "bias_window", "abs_r_k_a",  "plane_var_fraction", "slope_ratio"};

std::vector<std::string> shownMetrics(const Comparison& comparison, const std::string& chosen) {
  std::vector<std::string> shown;
  if (comparison.has(chosen)) shown.push_back(chosen);
  for (const char* usual : kUsualMetrics) {
    if (usual != chosen && comparison.has(usual)) shown.emplace_back(usual);
  }
  return shown;
}

// The same models with only these metrics: resampling all of them would take long.
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
    const Spread spread = spreadOf(model.values[metric]);
    number.mean.push_back(spread.mean);
    number.sd.push_back(spread.sd);
    number.heads.push_back(spread.count);
  }
  const std::size_t models = part.models.size();
  for (auto* values : {&number.difference, &number.low, &number.high}) values->assign(models, kMissing);
  number.paired.assign(models, 0);
  return number;
}

}  // namespace

std::vector<KeyNumber> keyNumbers(const Comparison& comparison, const std::string& chosen) {
  const Comparison part = restricted(comparison, shownMetrics(comparison, chosen));
  std::vector<KeyNumber> numbers;
  for (std::size_t m = 0; m < part.metrics.size(); ++m) numbers.push_back(keyNumberOf(part, m));
  const Table paired = pairedTable(part);
  for (std::size_t row = 0; row < paired.rows(); ++row) {
    KeyNumber& number = numbers[part.metric(paired.texts("metric")[row])];
    for (std::size_t i = 1; i < part.models.size(); ++i) {
      if (part.models[i].name != paired.texts("against")[row]) continue;
      number.difference[i] = paired.numbers("mean_difference")[row];
      number.low[i] = paired.numbers("low")[row];
      number.high[i] = paired.numbers("high")[row];
      number.paired[i] = paired.integers("heads")[row];
    }
  }
  return numbers;
}

}  // namespace plastiscope
