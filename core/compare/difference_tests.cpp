#include "core/compare/difference_tests.h"

#include <algorithm>
#include <map>

namespace plastiscope {

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
  std::map<HeadName, std::size_t> places;
  for (std::size_t h = 0; h < model.heads.size(); ++h) places[model.heads[h]] = h;
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
