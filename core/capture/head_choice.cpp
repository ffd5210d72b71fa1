#include "core/capture/head_choice.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <random>
#include <span>
#include <unordered_set>

#include "core/base/error.h"
#include "core/capture/head_ranges.h"

namespace plastiscope {

namespace {

// The state that init_by_array of Matsumoto and Nishimura (2002) makes of a key, as a seed sequence of
// std::mt19937: Python's random.Random starts so.
class InitByArray {
 public:
  using result_type = std::uint32_t;
  explicit InitByArray(std::span<const std::uint32_t> key) : m_key(key) {}

  template <typename Iterator>
  void generate(Iterator begin, Iterator end) const {
    const auto size = static_cast<std::size_t>(end - begin);
    std::vector<std::uint32_t> state(size, 19650218u);
    const auto mixed = [&](std::size_t i, std::uint32_t factor) {
      return (state[i - 1] ^ (state[i - 1] >> 30)) * factor;
    };
    for (std::size_t i = 1; i < size; ++i) state[i] = mixed(i, 1812433253u) + static_cast<std::uint32_t>(i);
    std::size_t i = 1;
    const auto advance = [&] {
      if (++i < size) return;
      state[0] = state[size - 1];
      i = 1;
    };
    for (std::size_t k = 0; k < std::max(size, m_key.size()); ++k) {
      const std::size_t j = k % m_key.size();
      state[i] = (state[i] ^ mixed(i, 1664525u)) + m_key[j] + static_cast<std::uint32_t>(j);
      advance();
    }
    for (std::size_t k = 1; k < size; ++k) {
      state[i] = (state[i] ^ mixed(i, 1566083941u)) - static_cast<std::uint32_t>(i);
      advance();
    }
    state[0] = 0x80000000u;
    std::copy(state.begin(), state.end(), begin);
  }

 private:
  std::span<const std::uint32_t> m_key;
};

// random.Random(seed): the seed's 32-bit words, lowest first, at least one.
std::mt19937 pythonGenerator(std::uint64_t seed) {
  const std::array<std::uint32_t, 2> words = {static_cast<std::uint32_t>(seed),
                                              static_cast<std::uint32_t>(seed >> 32)};
  InitByArray sequence{std::span(words).first(words[1] == 0 ? 1 : 2)};
  return std::mt19937(sequence);
}

// Random.randbelow: the top bits of one output, drawn again until they are below n.
std::int64_t randomBelow(std::mt19937& generator, std::int64_t n) {
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n)));
  while (true) {
    const auto value = static_cast<std::int64_t>(generator() >> (32 - bits));
    if (value < n) return value;
  }
}

// Above this population size Python keeps a set instead of a pool.
std::int64_t poolLimit(std::int64_t count) {
  if (count <= 5) return 21;
  std::int64_t power = 1;
  while (power < 3 * count) power *= 4;
  return 21 + power;
}

bool isEligible(const LayerSpec& layer, const CapturePlan& plan) {
  return plan.allLayers || layer.window == 0;
}

std::vector<HeadName> headsOfLayers(const CapturePlan& plan, const ModelSpec& spec, bool onlyWithVectors) {
  std::vector<HeadName> heads;
  for (std::int64_t l = 0; l < spec.layerCount; ++l) {
    const LayerSpec& layer = spec.layers.at(static_cast<std::size_t>(l));
    if (!isEligible(layer, plan) || (onlyWithVectors && !layer.hasVectors())) continue;
    for (std::int64_t head = 0; head < spec.queryHeads; ++head) heads.push_back({l, head});
  }
  return heads;
}

// The author's tool draws before it finds that some layers have no vectors (method.md 1.4,
// author_parity).
std::vector<HeadName> countedHeads(const CapturePlan& plan, const ModelSpec& spec, std::int64_t count) {
  const std::vector<HeadName> candidates = headsOfLayers(plan, spec, !plan.authorParity);
  const auto n = static_cast<std::int64_t>(candidates.size());
  std::vector<HeadName> heads;
  if (n <= count) {
    heads = candidates;
  } else {
    for (const std::int64_t i : pythonSample(plan.headSeed, n, count)) {
      heads.push_back(candidates[static_cast<std::size_t>(i)]);
    }
  }
  std::erase_if(heads, [&](const HeadName& head) {
    return !spec.layers[static_cast<std::size_t>(head.layer)].hasVectors();
  });
  return heads;
}

std::vector<HeadName> stratifiedHeads(const CapturePlan& plan, const ModelSpec& spec, std::int64_t count) {
  std::vector<std::int64_t> layers;
  for (const HeadName& head : headsOfLayers(plan, spec, true)) {
    if (layers.empty() || layers.back() != head.layer) layers.push_back(head.layer);
  }
  std::vector<HeadName> heads;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto layerCount = static_cast<std::int64_t>(layers.size());
    const std::int64_t share =
        count / layerCount + (static_cast<std::int64_t>(i) < count % layerCount ? 1 : 0);
    const std::uint64_t seed = plan.headSeed + static_cast<std::uint64_t>(layers[i]);
    for (const std::int64_t head : pythonSample(seed, spec.queryHeads, std::min(share, spec.queryHeads))) {
      heads.push_back({layers[i], head});
    }
  }
  return heads;
}

std::vector<HeadName> listedHeads(const CapturePlan& plan, const ModelSpec& spec) {
  std::vector<HeadName> heads = headsMeant(plan.heads, spec);
  for (const HeadName& name : heads) {
    if (!isEligible(spec.layers[static_cast<std::size_t>(name.layer)], plan)) {
      throw UsageError("head " + name.text() + ": its layer has a window; add --all-layers to take it");
    }
  }
  return heads;
}

std::vector<HeadName> requestedHeads(const CapturePlan& plan, const ModelSpec& spec) {
  const HeadRequest request = parseHeadRequest(plan.heads);
  switch (request.kind) {
    case HeadRequest::Kind::All:
      return headsOfLayers(plan, spec, true);
    case HeadRequest::Kind::Count:
      return countedHeads(plan, spec, request.count);
    case HeadRequest::Kind::Stratified:
      return stratifiedHeads(plan, spec, request.count);
    case HeadRequest::Kind::List:
      break;
  }
  return listedHeads(plan, spec);
}

}  // namespace

std::vector<std::int64_t> pythonSample(std::uint64_t seed, std::int64_t n, std::int64_t count) {
  if (count < 0 || count > n || n > INT32_MAX)
    throw Error(ErrorKind::Internal, "pythonSample: count above n");
  std::mt19937 generator = pythonGenerator(seed);
  std::vector<std::int64_t> sample;
  if (n <= poolLimit(count)) {
    std::vector<std::int64_t> pool(static_cast<std::size_t>(n));
    std::iota(pool.begin(), pool.end(), 0);
    for (std::int64_t left = n; left > n - count; --left) {
      const auto j = static_cast<std::size_t>(randomBelow(generator, left));
      sample.push_back(pool[j]);
      pool[j] = pool[static_cast<std::size_t>(left - 1)];
    }
    return sample;
  }
  std::unordered_set<std::int64_t> taken;
  while (static_cast<std::int64_t>(sample.size()) < count) {
    const std::int64_t value = randomBelow(generator, n);
    if (taken.insert(value).second) sample.push_back(value);
  }
  return sample;
}

void requireHeads(const std::vector<HeadName>& heads, const ModelSpec& spec) {
  for (const HeadName& name : heads) {
    if (name.layer >= spec.layerCount || name.head >= spec.queryHeads) {
      throw UsageError("head " + name.text() + ": the model has layers 0 to " +
                       std::to_string(spec.layerCount - 1) + " and query heads 0 to " +
                       std::to_string(spec.queryHeads - 1));
    }
    const LayerSpec& layer = spec.layers.at(static_cast<std::size_t>(name.layer));
    if (!layer.hasVectors())
      throw UsageError("head " + name.text() + ": its layer has " + std::string(nameOf(layer.attention)) +
                       " attention, which has no vectors to capture");
  }
}

std::vector<HeadName> chooseHeads(const CapturePlan& plan, const ModelSpec& spec) {
  std::vector<HeadName> heads = requestedHeads(plan, spec);
  std::sort(heads.begin(), heads.end());
  if (heads.empty()) {
    throw UsageError(
        "no head is left to capture: every layer has a window or no vectors; --all-layers takes the layers "
        "with "
        "a window too");
  }
  return heads;
}

std::vector<HeadName> keyHeadsOf(const std::vector<HeadName>& queryHeads, const ModelSpec& spec) {
  std::vector<HeadName> keys;
  for (const HeadName& head : queryHeads) keys.push_back({head.layer, head.head / spec.groupSize()});
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace plastiscope
