#pragma once
// Enumerates the key pairs that a query bin sees by rank, without storing them (method.md, Key pairs).
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/head_rows.h"
#include "core/analysis/pair_kernels.h"

namespace plastiscope {

// Key rows sorted by (example, position); of several rows at one place only the first.
struct KeyOrder {
  std::vector<std::int64_t> row;           // index into the key rows
  std::vector<std::int64_t> position;      // of row[i]
  std::vector<std::int64_t> exampleStart;  // start of each example, and the end: [examples + 1]

  std::int64_t size() const { return std::ssize(row); }
};
KeyOrder orderKeys(const VectorRows& keys);

struct OrderedKeys {
  const VectorRows& rows;
  const KeyOrder& order;
};

// Admissible pairs of keys at positions in [from, to), as indices of a KeyOrder, first < second, in the order
// of their ranks. The keys in that range are called eligible.
class PairSource {
 public:
  PairSource(std::int64_t from, std::int64_t to) : m_from(from), m_to(to) {}
  virtual ~PairSource() = default;
  std::int64_t keys() const { return m_keys; }  // eligible keys
  std::int64_t pairs() const { return m_pairs; }
  std::pair<std::int64_t, std::int64_t> range() const { return {m_from, m_to}; }  // of positions, [from, to)
  bool holds(std::int64_t position) const { return position >= m_from && position < m_to; }  // is eligible
  virtual KeyPair pairOfRank(std::int64_t rank) const = 0;  // rank in [0, pairs())
  virtual std::vector<KeyPair> pairsOfRanks(std::span<const std::int64_t> ascending) const;  // for many ranks
  // Appends up to `limit` pairs starting at `rank`; returns the next rank.
  virtual std::int64_t appendPairs(std::int64_t rank, std::int64_t limit,
                                   std::vector<KeyPair>& pairs) const = 0;

 protected:
  std::int64_t m_from, m_to, m_keys = 0, m_pairs = 0;
};

// Pairs within one example, at most `maxDistance` apart (0 = any). Ranks run over examples, then first key,
// then second key.
class PairEnumeration : public PairSource {
 public:
  PairEnumeration(const KeyOrder& keys, std::int64_t from, std::int64_t to, std::int64_t maxDistance);
  KeyPair pairOfRank(std::int64_t rank) const override;
  std::vector<KeyPair> pairsOfRanks(std::span<const std::int64_t> ascending) const override;
  std::int64_t appendPairs(std::int64_t rank, std::int64_t limit, std::vector<KeyPair>& pairs) const override;

 private:
  // Consecutive first keys: the i-th, from 0, pairs with the `partners - i` keys that follow it.
  struct Run {
    std::int64_t first, firsts, partners, before;  // before = rank of (first, first + 1)
    std::int64_t ranksBefore(std::int64_t i) const { return i * partners - i * (i - 1) / 2; }
    std::int64_t pairs() const { return ranksBefore(firsts); }
    std::int64_t firstOf(std::int64_t rank) const;  // the i whose pairs include a rank of this run
    KeyPair pairOf(std::int64_t i, std::int64_t rank) const;
  };
  std::size_t runOf(std::int64_t rank) const;
  void add(std::int64_t first, std::int64_t firsts, std::int64_t partners);

  std::vector<Run> m_runs;
};

// Pairs of any two keys at different positions, at most `maxDistance` apart (0 = any). Ranks run over the
// first key, then the second one, both in the order of `keys`, which must outlive this.
class CrossPairs : public PairSource {
 public:
  CrossPairs(const KeyOrder& keys, std::int64_t from, std::int64_t to, std::int64_t maxDistance);
  KeyPair pairOfRank(std::int64_t rank) const override;
  std::int64_t appendPairs(std::int64_t rank, std::int64_t limit, std::vector<KeyPair>& pairs) const override;

 private:
  bool admits(std::size_t i, std::size_t j) const;
  std::size_t firstOf(std::int64_t rank) const;

  const std::vector<std::int64_t>& m_position;
  std::int64_t m_reach;                // tokens
  std::vector<std::int32_t> m_places;  // indices of eligible keys, ascending
  std::vector<std::int64_t> m_before;  // rank of the first pair with eligible key i first
};

// min(wanted, pairs) distinct ranks below `pairs`, ascending, by Floyd's method with the generator for (seed,
// layer, query head, bin) (method.md, Random numbers).
std::vector<std::int64_t> sampleRanks(std::int64_t pairs, std::int64_t wanted, std::uint64_t generatorState);
std::uint64_t pairGeneratorState(std::uint64_t seed, std::int64_t layer, std::int64_t queryHead,
                                 std::int64_t bin);

}  // namespace plastiscope
