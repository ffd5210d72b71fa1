#include "core/views/explore_data.h"

#include "core/base/error.h"
#include "core/views/metric_info.h"

namespace plastiscope {

std::optional<std::size_t> binAt(const PpSpread& spread, double position) {
  for (std::size_t i = 0; i < spread.bins.size(); ++i) {
    if (position >= spread.bins[i].start && position < spread.bins[i].end) return i;
  }
  return std::nullopt;
}

std::string spreadText(const PpSpread& spread, double position, bool besideAligned) {
  const auto place = binAt(spread, position);
  if (!place) return "no queries at this position";
  const BinResult& bin = spread.bins[*place];
  std::string text = "bin " + std::to_string(*place) + " · " + withCommas(bin.queries) +
                     (bin.queries == 1 ? " query" : " queries");
  text += " · " + (bin.pairsUsed < bin.pairs ? withCommas(bin.pairsUsed) + " of " : std::string()) +
          withCommas(bin.pairs) + " pairs · ";
  if (bin.ap != bin.ap) return text + "too few for AP";
  return text + (besideAligned ? "binned AP " : "AP ") + fixedText(bin.ap, 3);
}

WhatIfData makeWhatIf(const WhatIfResult& before, const WhatIfResult& after, std::int64_t window) {
  WhatIfData data;
  data.window = window;
  for (std::size_t b = 0; b < before.bins.size(); ++b) {
    data.tau.push_back(before.bins[b].tau.value());
    data.before.push_back(before.bins[b].ap);
    data.after.push_back(after.bins[b].ap);
  }
  const auto line = [&](const char* metric, double old, double changed) {
    data.lines.push_back({describeMetric(metric).title, old, changed});
  };
  line("ap_overall", before.summary.overall, after.summary.overall);
  line("ap_first20", before.summary.first20.ap, after.summary.first20.ap);
  line("ap_last20", before.summary.last20.ap, after.summary.last20.ap);
  line("ap_drop", before.summary.drop, after.summary.drop);
  return data;
}

}  // namespace plastiscope
