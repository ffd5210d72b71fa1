#include "core/analysis/pair_selection.h"

#include <algorithm>
#include <bit>

#include "core/base/random.h"

namespace plastiscope {

namespace {

constexpr int kMaxRedraws = 1000;  // for a random prefix without a pair

// Buckets of log_uniform below ceil(log2(B)) are merged into that one (method.md, Position sampling).
std::int64_t firstBucketOf(const CaptureFrame& frame) {
  std::int64_t number = 0;
  while (frame.logBuckets && (std::int64_t{1} << number) < frame.bucketSize) ++number;
  return number;
}

}  // namespace

std::span<const KeyPair> ChosenPart::slice(std::int64_t from, std::int64_t wanted,
                                           std::vector<KeyPair>& buffer) const {
  if (all == nullptr) return std::span(sampled).subspan(from, wanted);
  buffer.clear();
  all->appendPairs(from, wanted, buffer);
  return buffer;
}

PairSelection::PairSelection(const KeyOrder& keys, const HeadId& place, const CaptureFrame& frame,
                             const BinGrid& grid, const AnalysisSettings& settings)
    : m_keys(keys), m_place(place), m_grid(grid), m_settings(settings), m_firstBucket(firstBucketOf(frame)) {
  if (settings.pairScope == "same_bucket") m_buckets = captureBuckets(frame);
}

// tau - t < window: t > (numerator - window * denominator) / denominator
std::int64_t PairSelection::firstVisible(const Rational& tau) const {
  if (m_place.attentionWindow <= 0) return 0;
  const std::int64_t numerator = tau.numerator - m_place.attentionWindow * tau.denominator;
  return numerator < 0 ? 0 : numerator / tau.denominator + 1;
}

std::unique_ptr<PairSource> PairSelection::sourceOf(std::int64_t from, std::int64_t to) const {
  if (m_settings.pairScope == "cross_example")
    return std::make_unique<CrossPairs>(m_keys, from, to, m_settings.maxDistance);
  return std::make_unique<PairEnumeration>(m_keys, from, to, m_settings.maxDistance);
}

void PairSelection::addPart(BinSpace& space, std::unique_ptr<PairSource> source, std::uint64_t state) const {
  const std::int64_t pairs = source->pairs();
  std::int64_t wanted = m_settings.pairs == 0 ? pairs : std::min(pairs, m_settings.pairs);
  if (m_settings.prefix == "random") wanted = pairs > 0 ? m_settings.pairs : 0;
  space.keys += source->keys();
  space.pairs += pairs;
  space.wanted += wanted;
  space.parts.push_back({std::move(source), state, wanted});
}

BinSpace PairSelection::spaceOf(std::int64_t bin, const Rational& tau) const {
  const std::int64_t from = firstVisible(tau), to = m_grid.firstPosition(bin);
  const std::uint64_t state = pairGeneratorState(m_settings.seed, m_place.layer, m_place.head, bin);
  BinSpace space;
  if (m_settings.pairScope != "same_bucket") {
    addPart(space, sourceOf(from, to), state);
    return space;
  }
  for (std::int64_t bucket = 0; bucket < m_buckets.bins(); ++bucket) {
    const std::int64_t start = std::max(from, m_buckets.firstPosition(bucket));
    const std::int64_t end = std::min(to, m_buckets.firstPosition(bucket + 1));
    if (start >= end) continue;
    const auto number = static_cast<std::uint64_t>(m_firstBucket + bucket);
    addPart(space, sourceOf(start, end), combine(state, mix64(number)));
  }
  return space;
}

// prefix = random (method.md, Key pairs): every pair has its own prefix N, and ranks count the pairs below N.
// A draw is left out if it finds no prefix with a pair.
ChosenPart PairSelection::drawn(const BinSpace::Part& part, std::int64_t from, std::int64_t to) const {
  ChosenPart chosen;
  PairGenerator generator(part.generatorState);
  for (std::int64_t draw = 0; draw < part.wanted; ++draw) {
    for (int attempt = 0; attempt <= kMaxRedraws; ++attempt) {
      const auto prefix = 1 + static_cast<std::int64_t>(generator.below(static_cast<std::uint64_t>(to)));
      const auto source = sourceOf(from, prefix);
      if (source->pairs() == 0) continue;
      const std::uint64_t rank = generator.below(static_cast<std::uint64_t>(source->pairs()));
      chosen.sampled.push_back(source->pairOfRank(static_cast<std::int64_t>(rank)));
      break;
    }
  }
  chosen.count = std::ssize(chosen.sampled);
  return chosen;
}

ChosenPairs PairSelection::choose(const BinSpace& space, std::int64_t bin, const Rational& tau) const {
  ChosenPairs chosen;
  for (const BinSpace::Part& part : space.parts) {
    if (m_settings.prefix == "random") {
      chosen.parts.push_back(drawn(part, firstVisible(tau), m_grid.firstPosition(bin)));
    } else if (part.wanted == part.source->pairs()) {
      chosen.parts.push_back({part.source.get(), {}, part.wanted});
    } else {
      const auto ranks = sampleRanks(part.source->pairs(), part.wanted, part.generatorState);
      chosen.parts.push_back({nullptr, part.source->pairsOfRanks(ranks), part.wanted});
    }
    chosen.used.pairs += chosen.parts.back().count;
  }
  chosen.used.rows = usedKeys(chosen);
  return chosen;
}

std::vector<std::int32_t> PairSelection::usedKeys(const ChosenPairs& chosen) const {
  constexpr std::size_t kBits = 64;
  std::vector<std::uint64_t> marks(m_keys.position.size() / kBits + 1);  // one bit per key
  const auto mark = [&marks](std::int32_t key) {
    const auto k = static_cast<std::size_t>(key);
    marks[k / kBits] |= std::uint64_t{1} << k % kBits;
  };
  for (const ChosenPart& part : chosen.parts) {
    for (const KeyPair& pair : part.sampled) {
      mark(pair.first);
      mark(pair.second);
    }
    if (part.all == nullptr || part.count == 0) continue;
    for (std::size_t key = 0; key < m_keys.position.size(); ++key) {
      if (part.all->holds(m_keys.position[key])) mark(static_cast<std::int32_t>(key));
    }
  }
  std::vector<std::int32_t> used;
  for (std::size_t word = 0; word < marks.size(); ++word) {
    for (std::uint64_t bits = marks[word]; bits != 0; bits &= bits - 1)
      used.push_back(static_cast<std::int32_t>(word * kBits) + std::countr_zero(bits));
  }
  return used;
}

}  // namespace plastiscope
