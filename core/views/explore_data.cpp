#include "core/views/explore_data.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/views/metric_info.h"

namespace plastiscope {

const SpreadBin* SpreadData::at(double position) const {
  const auto found = std::find_if(bins.begin(), bins.end(), [position](const SpreadBin& bin) {
    return position >= bin.start && position < bin.end;
  });
  return found == bins.end() ? nullptr : &*found;
}

SpreadData makeSpread(const PpSpread& spread) {
  SpreadData data;
  for (std::size_t b = 0; b < spread.bins.size(); ++b) {
    const BinResult& bin = spread.bins[b];
    data.bins.push_back(
        {bin.start, bin.end, bin.queries, bin.pairs, bin.pairsUsed, bin.ap, spread.counts[b]});
  }
  return data;
}

std::string spreadText(const SpreadData& data, double position, bool besideAligned) {
  const SpreadBin* bin = data.at(position);
  if (!bin) return "no queries at this position";
  std::string text = "bin " + std::to_string(bin - data.bins.data()) + " · " + withCommas(bin->queries) +
                     (bin->queries == 1 ? " query" : " queries");
  text += " · " + (bin->pairsUsed < bin->pairs ? withCommas(bin->pairsUsed) + " of " : std::string()) +
          withCommas(bin->pairs) + " pairs · ";
  if (bin->ap != bin->ap) return text + "too few for AP";
  return text + (besideAligned ? "binned AP " : "AP ") + fixedText(bin->ap, 3);
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
