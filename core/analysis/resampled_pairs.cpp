#include "core/analysis/resampled_pairs.h"

#include <algorithm>
#include <limits>

namespace plastiscope {

namespace {

constexpr std::int64_t kListedPairs = 4096;  // pairs listed at a time

}  // namespace

ResampledPairs::ResampledPairs(const PlasticityInput& input, const AnalysisSettings& settings)
    : m_input(input),
      m_across(settings.pairScope == "cross_example"),
      m_reach(settings.maxDistance > 0 ? settings.maxDistance
                                       : std::numeric_limits<std::int64_t>::max() / 4) {
  const KeyOrder& order = input.keyOrder;
  for (std::size_t key = 0; key < order.row.size(); ++key) {
    m_example.push_back(input.key.example[static_cast<std::size_t>(order.row[key])]);
    m_examples = std::max(m_examples, m_example.back() + 1);
    if (m_across) m_byPosition.emplace_back(order.position[key], m_example.back());
  }
  std::sort(m_byPosition.begin(), m_byPosition.end());
  const PairSelection selection(order, input.place, input.frame, input.grid, settings);
  const BinnedQueries queries(input.query, input.grid);
  for (std::int64_t b = 0; b < input.grid.bins(); ++b) {
    Bin& bin = m_bins.emplace_back();
    const ExactPosition tau = binPosition(input, queries.rowsOf(b), b, settings);
    bin.space = selection.spaceOf(b, tau);
    if (bin.space.pairs == 0) continue;
    bin.chosen = selection.choose(bin.space, b, tau);
    if (m_across) {
      const auto [from, to] = bin.space.parts[0].source->range();
      bin.from = from;
      bin.to = to;
      countWithin(bin, PairSpace(order, from, to, settings.maxDistance));
    } else {
      for (const BinSpace::Part& part : bin.space.parts) countWithin(bin, *part.source);
    }
  }
}

void ResampledPairs::countWithin(Bin& bin, const PairSource& source) const {
  bin.within.resize(static_cast<std::size_t>(m_examples));
  std::vector<KeyPair> pairs;
  for (std::int64_t next = 0; next < source.pairs();) {
    pairs.clear();
    next = source.appendPairs(next, kListedPairs, pairs);
    for (const KeyPair& pair : pairs)
      ++bin.within[static_cast<std::size_t>(m_example[static_cast<std::size_t>(pair.first)])];
  }
}

std::int64_t ResampledPairs::eligiblePairs(std::int64_t number,
                                           const std::vector<std::int32_t>& times) const {
  const Bin& bin = m_bins[static_cast<std::size_t>(number)];
  std::int64_t pairs = m_across && bin.space.pairs > 0 ? pairsAcross(bin, times) : 0;
  for (std::size_t e = 0; e < bin.within.size(); ++e) {
    const std::int64_t weight = times[e];
    pairs += (m_across ? weight - weight * weight : weight) * bin.within[e];
  }
  return pairs;
}

// Sum of times[e] * times[f] over all eligible pairs at different positions within reach, also those inside
// an example, which the caller puts right.
std::int64_t ResampledPairs::pairsAcross(const Bin& bin, const std::vector<std::int32_t>& times) const {
  const auto weight = [&](const auto& key) { return times[static_cast<std::size_t>(key.second)]; };
  const auto begin =
      std::lower_bound(m_byPosition.begin(), m_byPosition.end(), std::pair(bin.from, std::int64_t{0}));
  const auto end = std::lower_bound(begin, m_byPosition.end(), std::pair(bin.to, std::int64_t{0}));
  std::int64_t pairs = 0, before = 0;  // before: weights of keys earlier than the current one, within reach
  auto tail = begin, head = begin;     // [tail, head): those keys
  for (auto key = begin; key != end; ++key) {
    for (; head->first < key->first; ++head) before += weight(*head);
    for (; tail != head && key->first - tail->first > m_reach; ++tail) before -= weight(*tail);
    pairs += before * weight(*key);
  }
  return pairs;
}

}  // namespace plastiscope
