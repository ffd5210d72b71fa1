#include "core/analysis/pair_enumeration.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <tuple>

#include "core/base/random.h"

namespace plastiscope {

KeyOrder orderKeys(const VectorRows& keys) {
  const auto at = [&](std::int64_t row) {
    const auto i = static_cast<std::size_t>(row);
    return std::tuple(keys.example[i], keys.position[i]);
  };
  std::vector<std::int64_t> rows(static_cast<std::size_t>(keys.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  std::stable_sort(rows.begin(), rows.end(), [&](std::int64_t a, std::int64_t b) { return at(a) < at(b); });
  rows.erase(
      std::unique(rows.begin(), rows.end(), [&](std::int64_t a, std::int64_t b) { return at(a) == at(b); }),
      rows.end());
  KeyOrder order;
  order.row = std::move(rows);
  for (std::size_t i = 0; i < order.row.size(); ++i) {
    const auto row = static_cast<std::size_t>(order.row[i]);
    order.position.push_back(keys.position[row]);
    if (i == 0 || keys.example[row] != keys.example[order.row[i - 1]]) {
      order.exampleStart.push_back(static_cast<std::int64_t>(i));
    }
  }
  order.exampleStart.push_back(order.size());
  return order;
}

std::int64_t PairEnumeration::Run::firstOf(std::int64_t rank) const {
  std::int64_t low = 0, high = firsts;  // ranksBefore(low) <= rank - before < ranksBefore(high)
  while (high - low > 1) {
    const std::int64_t middle = (low + high) / 2;
    (ranksBefore(middle) <= rank - before ? low : high) = middle;
  }
  return low;
}

KeyPair PairEnumeration::Run::pairOf(std::int64_t i, std::int64_t rank) const {
  const std::int64_t second = first + i + 1 + (rank - before - ranksBefore(i));
  return {static_cast<std::int32_t>(first + i), static_cast<std::int32_t>(second)};
}

void PairEnumeration::add(std::int64_t first, std::int64_t firsts, std::int64_t partners) {
  if (firsts <= 0 || partners <= 0) return;
  m_runs.push_back({first, firsts, partners, m_pairs});
  m_pairs += m_runs.back().pairs();
}

namespace {

// Lower bound of `value` in ascending [first, last), without a branch that would be mispredicted half of the
// time.
template <typename Iterator>
Iterator firstFrom(Iterator first, Iterator last, std::int64_t value) {
  auto count = last - first;
  while (count > 1) {
    const auto half = count / 2;
    first += first[half - 1] < value ? half : 0;
    count -= half;
  }
  return first + (count == 1 && *first < value ? 1 : 0);
}

}  // namespace

PairEnumeration::PairEnumeration(const KeyOrder& keys, std::int64_t from, std::int64_t to,
                                 std::int64_t maxDistance)
    : PairSource(from, to) {
  const std::int64_t* position = keys.position.data();
  m_runs.reserve(maxDistance == 0 ? keys.exampleStart.size() : 0);
  for (std::size_t e = 0; e + 1 < keys.exampleStart.size(); ++e) {
    const auto first = position + keys.exampleStart[e], last = position + keys.exampleStart[e + 1];
    const auto begin = *first < from ? firstFrom(first, last, from) : first;
    const auto end = firstFrom(begin, last, to);
    m_keys += end - begin;
    if (maxDistance == 0) {
      add(begin - position, end - begin - 1, end - begin - 1);
      continue;
    }
    auto reach = begin;  // first key that is too far from the current one
    for (auto key = begin; key != end; ++key) {
      while (reach != end && *reach - *key <= maxDistance) ++reach;
      add(key - position, 1, reach - key - 1);
    }
  }
}

std::size_t PairEnumeration::runOf(std::int64_t rank) const {
  const auto after = std::upper_bound(m_runs.begin(), m_runs.end(), rank,
                                      [](std::int64_t value, const Run& run) { return value < run.before; });
  return static_cast<std::size_t>(after - m_runs.begin()) - 1;
}

KeyPair PairEnumeration::pairOfRank(std::int64_t rank) const {
  const Run& run = m_runs[runOf(rank)];
  return run.pairOf(run.firstOf(rank), rank);
}

std::vector<KeyPair> PairSource::pairsOfRanks(std::span<const std::int64_t> ascending) const {
  std::vector<KeyPair> pairs;
  for (const std::int64_t rank : ascending) pairs.push_back(pairOfRank(rank));
  return pairs;
}

std::vector<KeyPair> PairEnumeration::pairsOfRanks(std::span<const std::int64_t> ascending) const {
  std::vector<KeyPair> pairs;
  pairs.reserve(ascending.size());
  std::size_t r = 0;  // ascending ranks have ascending runs
  for (const std::int64_t rank : ascending) {
    while (r + 1 < m_runs.size() && m_runs[r + 1].before <= rank) ++r;
    pairs.push_back(m_runs[r].pairOf(m_runs[r].firstOf(rank), rank));
  }
  return pairs;
}

std::int64_t PairEnumeration::appendPairs(std::int64_t rank, std::int64_t limit,
                                          std::vector<KeyPair>& pairs) const {
  const std::int64_t end = std::min(m_pairs, rank + limit);
  for (std::size_t r = rank < end ? runOf(rank) : 0; rank < end; ++r) {
    const Run& run = m_runs[r];
    for (std::int64_t i = run.firstOf(rank); i < run.firsts && rank < end; ++i) {
      const std::int64_t stop = std::min(end, run.before + run.ranksBefore(i + 1));
      for (; rank < stop; ++rank) pairs.push_back(run.pairOf(i, rank));
    }
  }
  return rank;
}

namespace {

// Counts of keys by position, growing, with sums over ranges (a Fenwick tree).
class PositionCounts {
 public:
  explicit PositionCounts(std::vector<std::int64_t> positions) : m_positions(std::move(positions)) {
    std::sort(m_positions.begin(), m_positions.end());
    m_positions.erase(std::unique(m_positions.begin(), m_positions.end()), m_positions.end());
    m_sums.resize(m_positions.size() + 1);
  }
  void add(std::int64_t position) {
    for (std::size_t i = below(position) + 1; i < m_sums.size(); i += i & -i) ++m_sums[i];
  }
  // Keys at positions in [from, to).
  std::int64_t between(std::int64_t from, std::int64_t to) const {
    return upTo(below(to)) - upTo(below(from));
  }

 private:
  std::size_t below(std::int64_t position) const {
    return static_cast<std::size_t>(std::lower_bound(m_positions.begin(), m_positions.end(), position) -
                                    m_positions.begin());
  }
  std::int64_t upTo(std::size_t i) const {
    std::int64_t sum = 0;
    for (; i > 0; i -= i & -i) sum += m_sums[i];
    return sum;
  }
  std::vector<std::int64_t> m_positions, m_sums;
};

}  // namespace

CrossPairs::CrossPairs(const KeyOrder& keys, std::int64_t from, std::int64_t to, std::int64_t maxDistance)
    : PairSource(from, to),
      m_position(keys.position),
      m_reach(maxDistance > 0 ? maxDistance : std::numeric_limits<std::int64_t>::max() / 4) {
  std::vector<std::int64_t> positions;
  for (std::size_t key = 0; key < m_position.size(); ++key) {
    if (!holds(m_position[key])) continue;
    m_places.push_back(static_cast<std::int32_t>(key));
    positions.push_back(m_position[key]);
  }
  m_keys = std::ssize(m_places);
  PositionCounts later(positions);
  m_before.resize(m_places.size());
  for (std::size_t i = m_places.size(); i-- > 0;) {
    const std::int64_t t = positions[i];
    m_before[i] = later.between(t - m_reach, t + m_reach + 1) - later.between(t, t + 1);  // partners of i
    later.add(t);
  }
  for (std::int64_t& before : m_before) {
    const std::int64_t partners = before;
    before = m_pairs;
    m_pairs += partners;
  }
}

bool CrossPairs::admits(std::size_t i, std::size_t j) const {
  const std::int64_t distance = std::abs(m_position[m_places[i]] - m_position[m_places[j]]);
  return distance > 0 && distance <= m_reach;
}

std::size_t CrossPairs::firstOf(std::int64_t rank) const {
  return static_cast<std::size_t>(std::upper_bound(m_before.begin(), m_before.end(), rank) -
                                  m_before.begin()) -
         1;
}

KeyPair CrossPairs::pairOfRank(std::int64_t rank) const {
  std::vector<KeyPair> pair;
  appendPairs(rank, 1, pair);
  return pair.front();
}

std::int64_t CrossPairs::appendPairs(std::int64_t rank, std::int64_t limit,
                                     std::vector<KeyPair>& pairs) const {
  const std::int64_t end = std::min(m_pairs, rank + limit);
  if (rank >= end) return rank;
  std::size_t i = firstOf(rank);
  std::int64_t next = m_before[i];  // rank of the next admissible pair
  for (; rank < end; ++i) {
    for (std::size_t j = i + 1; j < m_places.size() && rank < end; ++j) {
      if (!admits(i, j) || next++ < rank) continue;
      pairs.push_back({m_places[i], m_places[j]});
      ++rank;
    }
  }
  return rank;
}

namespace {

// A set of ranks with open addressing, for the many insertions of Floyd's method.
class RankSet {
 public:
  explicit RankSet(std::size_t wanted) : m_slots(std::bit_ceil(2 * wanted + 1), kEmpty) {}
  // False if the rank was already in the set.
  bool insert(std::int64_t rank) {
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t i = mix64(static_cast<std::uint64_t>(rank)) & mask;; i = (i + 1) & mask) {
      if (m_slots[i] == rank) return false;
      if (m_slots[i] == kEmpty) {
        m_slots[i] = rank;
        return true;
      }
    }
  }

 private:
  static constexpr std::int64_t kEmpty = -1;
  std::vector<std::int64_t> m_slots;
};

}  // namespace

std::vector<std::int64_t> sampleRanks(std::int64_t pairs, std::int64_t wanted, std::uint64_t generatorState) {
  std::vector<std::int64_t> ranks;
  if (wanted >= pairs) {
    ranks.resize(pairs);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
  }
  PairGenerator generator(generatorState);
  RankSet taken(static_cast<std::size_t>(wanted));
  for (std::int64_t j = pairs - wanted; j < pairs; ++j) {
    const auto r = static_cast<std::int64_t>(generator.below(static_cast<std::uint64_t>(j) + 1));
    const std::int64_t rank = taken.insert(r) ? r : j;
    if (rank == j && r != j) taken.insert(j);
    ranks.push_back(rank);
  }
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

std::uint64_t pairGeneratorState(std::uint64_t seed, std::int64_t layer, std::int64_t queryHead,
                                 std::int64_t bin) {
  std::uint64_t state = combine(kSeedStart, mix64(seed));
  for (const std::int64_t key : {layer, queryHead, bin}) {
    state = combine(state, mix64(static_cast<std::uint64_t>(key)));
  }
  return state;
}

}  // namespace plastiscope
