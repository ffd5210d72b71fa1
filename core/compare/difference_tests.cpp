#include "core/compare/difference_tests.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/compare/measures.h"

namespace plastiscope {

namespace {

constexpr double kApMargin = 0.02;
// Of AP at a position (method "aligned"): they do not depend on the bins.
constexpr const char* kOfAlignedQueries[] = {"ap_aligned", "ap_same_position", "ap_one_vector"};

bool isAp(const std::string& metric) {
  return metric.starts_with("ap_");
}

bool isBinned(const std::string& metric) {
  return isAp(metric) && std::ranges::none_of(kOfAlignedQueries, [&metric](const char* start) {
           return metric.starts_with(start);
         });
}


}  // namespace

std::optional<double> marginOf(const std::string& metric, const ComparisonOptions& options) {
  if (options.margin) return options.margin;
  return isAp(metric) ? std::optional(kApMargin) : std::nullopt;
}

HeadPairs pairedHeads(const ComparedModel& first, const ComparedModel& other) {
  std::map<HeadName, std::size_t> places;
  for (std::size_t h = 0; h < first.heads.size(); ++h) places[first.heads[h]] = h;
  HeadPairs pairs;
  for (std::size_t h = 0; h < other.heads.size(); ++h) {
    const auto same = places.find(other.heads[h]);
    if (same != places.end()) pairs.emplace_back(same->second, h);
  }
  return pairs;
}

std::vector<TextDifference> headDifferences(const ComparedModel& first, const ComparedModel& other,
                                            const std::string& metric, const HeadPairs& pairs) {
  const std::vector<double> before = first.column(metric), after = other.column(metric);
  const auto apartBefore = first.replicates->of(metric), apartAfter = other.replicates->of(metric);
  const auto valueOf = [](const std::vector<double>& values, const std::vector<std::vector<double>>& apart,
                          std::size_t head, const ComparedModel& model) {
    return TextValue{values[head], head < apart.size() ? apart[head] : std::vector<double>(),
                     model.replicates->texts()};
  };
  std::vector<TextDifference> differences;
  for (const auto& [a, b] : pairs)
    differences.push_back(
        differenceOf(valueOf(before, apartBefore, a, first), valueOf(after, apartAfter, b, other)));
  return differences;
}

TextDifference meanDifference(const ComparedModel& first, const ComparedModel& other,
                              const std::string& metric, bool median) {
  const auto meanOf = [&](const ComparedModel& model) {
    return overHeads(model.column(metric), model.replicates->of(metric), allHeads(model),
                     model.replicates->texts(), median);
  };
  return differenceOf(meanOf(first), meanOf(other));
}

bool hasOtherBins(const ComparedModel& first, const ComparedModel& other, const std::string& metric) {
  return isBinned(metric) && first.bins > 0 && other.bins > 0 && first.bins != other.bins;
}

std::string otherBinsText(const Comparison& comparison) {
  const ComparedModel* first = leaderOf(comparison);
  if (first == nullptr) return {};
  for (const ComparedModel& model : comparison.models) {
    if (!hasOtherBins(*first, model, "ap_overall")) continue;
    return "binned AP is not comparable: bins is " + std::to_string(first->bins) + " in " + first->name +
           " and " + std::to_string(model.bins) + " in " + model.name + "; analyse all with --bins " +
           std::to_string(std::min(first->bins, model.bins)) + " (aligned AP is comparable)";
  }
  return {};
}

std::string untestedText(const Comparison& comparison) {
  const ComparedModel* first = leaderOf(comparison);
  if (first == nullptr || comparison.models.size() < 2) return {};
  std::size_t untested = 0;
  for (const std::string& metric : comparison.metrics) {
    untested += std::ranges::any_of(comparison.models, [&](const ComparedModel& model) {
      return !model.published && !model.replicates->has(metric) && !hasOtherBins(*first, model, metric);
    });
  }
  if (untested == 0) return {};
  return std::to_string(untested) + " of " + std::to_string(comparison.metrics.size()) +
         " metrics have no interval over texts: analyse the captures, of two texts or more, with --interval "
         "jackknife and compare the analyses, or take --interval heads";
}

}  // namespace plastiscope
