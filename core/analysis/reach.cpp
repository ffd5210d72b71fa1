#include "core/analysis/reach.h"

#include <algorithm>

#include "core/base/table.h"

namespace plastiscope {

std::int64_t firstVisibleKey(std::int64_t query, std::int64_t window, bool chunked) {
  if (window <= 0) return 0;
  if (chunked) return query / window * window;
  return std::max<std::int64_t>(0, query + 1 - window);
}

double meanReach(const HeadId& place, std::int64_t from, std::int64_t to) {
  if (to <= from) return kMissing;
  if (place.attentionWindow <= 0) return 1;
  const bool chunked = place.attention == "chunked";
  double sum = 0;
  for (std::int64_t t = from; t < to; ++t) {
    const auto tokens = static_cast<double>(t + 1);
    sum += (tokens - static_cast<double>(firstVisibleKey(t, place.attentionWindow, chunked))) / tokens;
  }
  return sum / static_cast<double>(to - from);
}

double lastReach(const HeadId& place, std::int64_t window) {
  return meanReach(place, (4 * window + 4) / 5, window);
}

}  // namespace plastiscope
