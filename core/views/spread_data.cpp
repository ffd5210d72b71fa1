#include "core/views/spread_data.h"

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

std::string spreadText(const SpreadData& data, double position) {
  const SpreadBin* bin = data.at(position);
  if (!bin) return "no queries at this position";
  std::string text = "bin " + std::to_string(bin - data.bins.data()) + " · " + withCommas(bin->queries) +
                     (bin->queries == 1 ? " query" : " queries");
  text += " · " + (bin->pairsUsed < bin->pairs ? withCommas(bin->pairsUsed) + " of " : std::string()) +
          withCommas(bin->pairs) + " pairs · ";
  return text + (bin->ap == bin->ap ? "AP " + fixedText(bin->ap, 3) : "too few for AP");
}

}  // namespace plastiscope
