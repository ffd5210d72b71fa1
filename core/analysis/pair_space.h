#pragma once
// Which pairs of keys a query bin sees, in their one order, without listing them (method.md 4.4 and 4.7).
#include <cstdint>
#include <vector>

#include "core/analysis/head_rows.h"
#include "core/analysis/pair_kernels.h"

namespace plastiscope {

// Key rows sorted by (example, position); of several rows at one place the first is kept.
struct KeyOrder {
  std::vector<std::int64_t> row;           // index into the key rows
  std::vector<std::int64_t> position;      // of row[i]
  std::vector<std::int64_t> exampleStart;  // first place of each example, and the end: [examples + 1]

  std::int64_t size() const { return static_cast<std::int64_t>(row.size()); }
};
KeyOrder orderKeys(const KindRows& keys);

// The admissible pairs of one bin, as places in a KeyOrder, first < second: both keys of one example at
// positions in [from, to), not farther apart than `maxDistance` (0 = any). Ranks run over examples, then
// first key, then second key.
class PairSpace {
 public:
  PairSpace(const KeyOrder& keys, std::int64_t from, std::int64_t to, std::int64_t maxDistance);

  std::int64_t keys() const { return m_keys; }  // eligible keys
  std::int64_t pairs() const { return m_pairs; }
  bool holds(std::int64_t position) const { return position >= m_from && position < m_to; }  // eligible
  KeyPair pairOfRank(std::int64_t rank) const;  // rank in [0, pairs())
  // Appends up to `limit` pairs from `rank` on; returns the next rank.
  std::int64_t appendPairs(std::int64_t rank, std::int64_t limit, std::vector<KeyPair>& pairs) const;

 private:
  // One first key with the run of second keys that follows it.
  struct Run {
    std::int64_t first, partners, before;  // before = rank of (first, first + 1)
    KeyPair pairOfRank(std::int64_t rank) const {
      return {static_cast<std::int32_t>(first), static_cast<std::int32_t>(first + 1 + (rank - before))};
    }
  };
  std::size_t runOf(std::int64_t rank) const;

  std::vector<Run> m_runs;
  std::int64_t m_from, m_to, m_keys = 0, m_pairs = 0;
};

// min(wanted, pairs) different ranks below `pairs`, ascending, by Floyd's method with the generator of
// method.md 4.7 for (seed, layer, query head, bin).
std::vector<std::int64_t> sampleRanks(std::int64_t pairs, std::int64_t wanted, std::uint64_t generatorState);
std::uint64_t pairGeneratorState(std::uint64_t seed, std::int64_t layer, std::int64_t queryHead,
                                 std::int64_t bin);

}  // namespace plastiscope
