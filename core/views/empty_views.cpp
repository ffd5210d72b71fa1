#include "core/views/empty_views.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace plastiscope {

namespace {

std::string needed() {
  const AnalysisSettings standard;
  return std::to_string(standard.minQueries) + " queries and " + std::to_string(standard.minPairs) +
         " key pairs";
}

std::string queriesText(std::int64_t count) {
  return withCommas(count) + (count == 1 ? " query" : " queries");
}

}  // namespace

std::string whyNoProfile(const ProfileField& field) {
  if (field.bins() == 0) return "This analysis has no profile";
  if (std::ranges::any_of(field.ap, [](double value) { return std::isfinite(value); })) return {};
  const auto fullest = std::ranges::max_element(field.queries);
  return "Too few rows: the fullest bin has " +
         queriesText(fullest == field.queries.end() ? 0 : *fullest) + ". A bin needs " + needed() +
         ", unless the analysis is told otherwise.";
}

std::string whyNoMap(const MapData& map) {
  if (std::ranges::any_of(map.count, [](std::int64_t pairs) { return pairs > 0; })) return {};
  return "Too few rows: no bin has " + needed() + ", so there are no pairs to be shown.";
}

}  // namespace plastiscope
