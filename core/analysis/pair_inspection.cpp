#include "core/analysis/pair_inspection.h"

#include <algorithm>
#include <cmath>

namespace plastiscope {

namespace {

// A key of the order, by its place.
struct Key {
  std::int64_t position, example;
};

Key keyAt(const PlasticityInput& input, std::int32_t place) {
  const auto row = static_cast<std::size_t>(input.keyOrder.row[static_cast<std::size_t>(place)]);
  return {input.key.position[row], input.key.example[row]};
}

InspectedPair inspected(const PlasticityInput& input, const KeyPair& pair, const PairValues& values,
                        std::size_t p) {
  const Key first = keyAt(input, pair.first), second = keyAt(input, pair.second);
  const bool inOrder = first.position <= second.position;
  const Key &earlier = inOrder ? first : second, &later = inOrder ? second : first;
  InspectedPair found;
  found.earlier = earlier.position;
  found.later = later.position;
  found.earlierExample = earlier.example;
  found.laterExample = later.example;
  found.pp = values.pp[p];
  if (values.mean != nullptr && values.variance != nullptr)
    found.z = (inOrder ? 1 : -1) * values.mean[p] / std::sqrt(values.variance[p]);
  return found;
}

// The plasticity of the head with someone who is told of its pairs.
Plasticity watched(const PlasticityInput& input, const HouseholderHead& reflected,
                   const AnalysisSettings& settings, const Progress& progress, PairWatcher watcher) {
  PlasticityInput open = input;
  open.onPairs = std::move(watcher);
  return plasticityOf(open, reflected, settings, progress);
}

}  // namespace

CellPairs pairsOfCell(const PlasticityInput& input, const HouseholderHead& reflected,
                      const AnalysisSettings& settings, const CellRequest& choice, const Progress& progress) {
  CellPairs cell;
  MapGrid grid(mapCellOf(input.frame, settings));
  std::int64_t open = -1;
  double tau = kMissing;
  std::vector<double> kept;
  watched(input, reflected, settings, progress,
          [&](std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values) {
            if (bin != open) {
              const Rational at = binPosition(input, reflected.queries.rowsOf(bin), bin, settings);
              grid.startBin(at);
              tau = at.value();
              open = bin;
            }
            for (std::size_t p = 0; p < pairs.size(); ++p) {
              if (std::isnan(values.pp[p])) continue;
              InspectedPair pair = inspected(input, pairs[p], values, p);
              if (grid.cellOf(pair.earlier, pair.later) != std::pair(choice.distance, choice.midpoint))
                continue;
              kept.push_back(pair.pp);
              pair.bin = bin;
              pair.tau = tau;
              if (static_cast<std::int64_t>(cell.listed.size()) < choice.most) cell.listed.push_back(pair);
            }
          });
  cell.pairs = static_cast<std::int64_t>(kept.size());
  if (!kept.empty()) cell.pp = sumOf(kept) / static_cast<double>(kept.size());
  return cell;
}

PpSpread ppSpreadOf(const PlasticityInput& input, const HouseholderHead& reflected,
                    const AnalysisSettings& settings, const Progress& progress) {
  PpSpread spread;
  spread.counts.assign(static_cast<std::size_t>(input.grid.bins()), std::vector<std::int64_t>(kPpSteps));
  spread.bins = watched(input, reflected, settings, progress,
                        [&](std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values) {
                          auto& counts = spread.counts[static_cast<std::size_t>(bin)];
                          for (std::size_t p = 0; p < pairs.size(); ++p) {
                            if (std::isnan(values.pp[p])) continue;
                            const auto step = static_cast<std::int64_t>(values.pp[p] * kPpSteps);
                            ++counts[static_cast<std::size_t>(std::min(step, kPpSteps - 1))];
                          }
                        })
                    .bins;
  return spread;
}

}  // namespace plastiscope
