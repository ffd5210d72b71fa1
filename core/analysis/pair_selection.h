#pragma once
// Selects the pairs that a bin evaluates: scope, prefix and sampling (method.md, Key pairs).
#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/bins.h"
#include "core/analysis/pair_enumeration.h"
#include "core/analysis/pair_models.h"
#include "core/analysis/settings.h"

namespace plastiscope {

// Sources of the key pairs of a bin: a single one, or with pair_scope same_bucket one per key bucket that has
// pairs. The means of the buckets have equal weights.
struct BinSpace {
  struct Part {
    std::unique_ptr<PairSource> source;
    std::uint64_t generatorState;
    std::int64_t wanted;  // pairs to evaluate
  };
  std::vector<Part> parts;
  std::int64_t keys = 0, pairs = 0, wanted = 0;  // eligible keys; eligible pairs; pairs to evaluate
};

// The selected pairs of one part.
struct ChosenPart {
  const PairSource* all = nullptr;  // set: all its pairs, else the sampled ones
  std::vector<KeyPair> sampled;
  std::int64_t count = 0;

  // Pairs [from, from + count); uses `buffer` if they are not stored.
  std::span<const KeyPair> slice(std::int64_t from, std::int64_t count, std::vector<KeyPair>& buffer) const;
};

struct ChosenPairs {
  std::vector<ChosenPart> parts;
  UsedKeys used;
};

// The arguments must outlive the selection.
class PairSelection {
 public:
  PairSelection(const KeyOrder& keys, const HeadId& place, const CaptureFrame& frame, const BinGrid& grid,
                const AnalysisSettings& settings);
  // `tau`: used for layers with an attention window.
  BinSpace spaceOf(std::int64_t bin, const Rational& tau) const;
  ChosenPairs choose(const BinSpace& space, std::int64_t bin, const Rational& tau) const;

 private:
  std::int64_t firstVisible(const Rational& tau) const;
  std::unique_ptr<PairSource> sourceOf(std::int64_t from, std::int64_t to) const;
  void addPart(BinSpace& space, std::unique_ptr<PairSource> source, std::uint64_t state) const;
  ChosenPart drawn(const BinSpace::Part& part, std::int64_t from, std::int64_t to) const;
  std::vector<std::int32_t> usedKeys(const ChosenPairs& chosen) const;

  const KeyOrder& m_keys;
  const HeadId& m_place;
  const BinGrid& m_grid;
  const AnalysisSettings& m_settings;
  BinGrid m_buckets;           // of the capture, for pair_scope same_bucket
  std::int64_t m_firstBucket;  // number of the first bucket
};

}  // namespace plastiscope
