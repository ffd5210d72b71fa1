#include <algorithm>

#include "core/analysis/tables.h"
#include "core/base/error.h"

namespace plastiscope {

std::string thinRangesWarning(const std::vector<HeadResult>& heads) {
  struct Thin {
    std::int64_t heads = 0, missing = 0, bins = 0;
  };
  std::vector<std::pair<std::string, Thin>> ranges;
  for (const HeadResult& head : heads) {
    if (!head.model.present) continue;
    const auto list = head.summary.ranges();
    if (ranges.empty()) {
      for (const RangeMean* range : list) ranges.push_back({range->name, {}});
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i]->isThin()) continue;
      ++ranges[i].second.heads;
      ranges[i].second.missing = std::max(ranges[i].second.missing, list[i]->missing);
      ranges[i].second.bins = list[i]->bins;
    }
  }
  std::string text;
  for (const auto& [name, thin] : ranges) {
    if (thin.heads == 0) continue;
    text += (text.empty() ? "" : "; ") + name + " (up to " + withCommas(thin.missing) + " of " +
            withCommas(thin.bins) + " bins, " + withCommas(thin.heads) + " heads)";
  }
  return text.empty() ? "" : "more than 5 % of the bins have no value in: " + text;
}

}  // namespace plastiscope
