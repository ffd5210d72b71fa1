#include "core/analysis/pair_inspection.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace plastiscope {

namespace {

// A key, by its index in the order.
struct Key {
  std::int64_t position, example;
};

Key keyAt(const PlasticityInput& input, std::int32_t place) {
  const auto row = static_cast<std::size_t>(input.keyOrder.row[place]);
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

// The plasticity of the head, with a callback for its pairs.
Plasticity watched(const PlasticityInput& input, const HouseholderHead& reflected,
                   const AnalysisSettings& settings, const Progress& progress, PairWatcher watcher) {
  PlasticityInput open = input;
  open.onPairs = std::move(watcher);
  return plasticityOf(open, reflected, settings, progress);
}

// Samples every n-th pair of a bin: at least `most` or all, and less than twice as many.
class EvenSample {
 public:
  explicit EvenSample(std::int64_t most) : m_most(static_cast<std::size_t>(most)) {}
  void add(const InspectedPair& pair) {
    if (m_seen++ % m_step != 0) return;
    m_kept.push_back(pair);
    if (m_kept.size() / 2 < m_most) return;
    for (std::size_t i = 0; 2 * i < m_kept.size(); ++i) m_kept[i] = m_kept[2 * i];
    m_kept.resize((m_kept.size() + 1) / 2);
    m_step *= 2;
  }
  std::size_t size() const { return m_kept.size(); }
  const InspectedPair& at(std::size_t i, std::size_t count) const {
    return m_kept[i * m_kept.size() / count];
  }

 private:
  std::size_t m_most, m_seen = 0, m_step = 1;
  std::vector<InspectedPair> m_kept;
};

// Distributes the list over the bins; small bins leave their share to others.
std::vector<InspectedPair> evenlyOf(const std::vector<EvenSample>& bins, std::int64_t most) {
  std::vector<std::size_t> bySize(bins.size()), counts(bins.size());
  std::iota(bySize.begin(), bySize.end(), std::size_t{0});
  std::ranges::stable_sort(bySize, {}, [&bins](std::size_t bin) { return bins[bin].size(); });
  auto left = static_cast<std::size_t>(most);
  for (std::size_t i = 0; i < bySize.size(); ++i) {
    counts[bySize[i]] = std::min(bins[bySize[i]].size(), left / (bySize.size() - i));
    left -= counts[bySize[i]];
  }
  std::vector<InspectedPair> pairs;
  for (std::size_t bin = 0; bin < bins.size(); ++bin) {
    for (std::size_t i = 0; i < counts[bin]; ++i) pairs.push_back(bins[bin].at(i, counts[bin]));
  }
  return pairs;
}

}  // namespace

CellPairs pairsOfCell(const PlasticityInput& input, const HouseholderHead& reflected,
                      const AnalysisSettings& settings, const CellRequest& choice, const Progress& progress) {
  CellPairs cell;
  MapGrid grid(mapCellOf(input.frame, settings));
  std::int64_t open = -1;
  double tau = kMissing;
  std::vector<double> kept;
  std::vector<EvenSample> bins;
  watched(input, reflected, settings, progress,
          [&](std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values) {
            if (bin != open) {
              const Rational at = binPosition(input, reflected.queries.rowsOf(bin), bin, settings);
              grid.startBin(at);
              tau = at.value();
              bins.emplace_back(std::max<std::int64_t>(1, choice.most));
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
              bins.back().add(pair);
            }
          });
  cell.pairs = std::ssize(kept);
  cell.listed = evenlyOf(bins, choice.most);
  if (!kept.empty()) cell.pp = sumOf(kept) / static_cast<double>(kept.size());
  return cell;
}

namespace {

struct PpSum {
  std::int64_t pairs = 0;
  double sum = 0;
  void add(double pp) {
    ++pairs;
    sum += pp;
  }
};

std::vector<RowPlasticity> rowsWith(const VectorRows& rows, const std::vector<PpSum>& sums) {
  std::vector<RowPlasticity> found;
  for (std::size_t i = 0; i < sums.size(); ++i)
    found.push_back({rows.example[i], rows.position[i], sums[i].pairs,
                     sums[i].pairs > 0 ? sums[i].sum / static_cast<double>(sums[i].pairs) : kMissing});
  return found;
}

}  // namespace

RowPlasticities plasticityOfRows(const PlasticityInput& input, const HouseholderHead& reflected,
                                 const AnalysisSettings& settings, const Progress& progress) {
  const bool anyText = settings.pairScope == "cross_example";
  std::vector<PpSum> query(static_cast<std::size_t>(input.query.rows())),
      key(static_cast<std::size_t>(input.key.rows()));
  std::map<std::int64_t, PpSum> texts;  // of the current bin
  std::int64_t open = -1;
  const auto close = [&] {
    if (open < 0) return;
    for (const std::int64_t row : reflected.queries.rowsOf(open)) {
      const auto place = static_cast<std::size_t>(row);
      const auto found = texts.find(anyText ? 0 : input.query.example[place]);
      if (found != texts.end()) query[place] = found->second;
    }
    texts.clear();
  };
  watched(input, reflected, settings, progress,
          [&](std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values) {
            if (bin != open) close();
            open = bin;
            for (std::size_t p = 0; p < pairs.size(); ++p) {
              if (std::isnan(values.pp[p])) continue;
              for (const std::int32_t place : {pairs[p].first, pairs[p].second})
                key[input.keyOrder.row[place]].add(values.pp[p]);
              texts[anyText ? 0 : keyAt(input, pairs[p].first).example].add(values.pp[p]);
            }
          });
  close();
  return {rowsWith(input.query, query), rowsWith(input.key, key)};
}

PpSpread ppSpreadOf(const PlasticityInput& input, const HouseholderHead& reflected,
                    const AnalysisSettings& settings, const Progress& progress) {
  PpSpread spread;
  spread.counts.assign(input.grid.bins(), std::vector<std::int64_t>(kPpSteps));
  spread.bins = watched(input, reflected, settings, progress,
                        [&](std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values) {
                          auto& counts = spread.counts[bin];
                          for (std::size_t p = 0; p < pairs.size(); ++p) {
                            if (std::isnan(values.pp[p])) continue;
                            const auto step = static_cast<std::int64_t>(values.pp[p] * kPpSteps);
                            ++counts[std::min(step, kPpSteps - 1)];
                          }
                        })
                    .bins;
  return spread;
}

}  // namespace plastiscope
