#include "core/capture/head_choice.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <span>
#include <unordered_set>
#include "core/base/error.h"

namespace plastiscope {

namespace {

// A seeding of std::mt19937 by an array of words (init_by_array of Matsumoto and Nishimura 2002), as Python's
// random.Random(seed) does it with the 32-bit words of its seed, lowest first, at least one.
class PythonSeeding {
 public:
  using result_type = std::uint32_t;
  explicit PythonSeeding(std::uint64_t seed)
      : m_words{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)} {
    if (m_words[1] == 0) m_words.resize(1);
  }

  template <typename Iterator>
  void generate(Iterator begin, Iterator end) const {
    const auto size = static_cast<std::size_t>(end - begin);
    begin[0] = 19650218U;
    for (std::size_t i = 1; i < size; ++i)
      begin[i] = 1812433253U * (begin[i - 1] ^ (begin[i - 1] >> 30)) + static_cast<std::uint32_t>(i);
    std::size_t i = 1, j = 0;
    const auto mixed = [&](std::uint32_t factor) {
      return begin[i] ^ ((begin[i - 1] ^ (begin[i - 1] >> 30)) * factor);
    };
    const auto advance = [&] {
      if (++i < size) return;
      begin[0] = begin[size - 1];
      i = 1;
    };
    for (std::size_t k = size; k > 0; --k) {
      begin[i] = mixed(1664525U) + m_words[j] + static_cast<std::uint32_t>(j);
      advance();
      if (++j == m_words.size()) j = 0;
    }
    for (std::size_t k = size - 1; k > 0; --k) {
      begin[i] = mixed(1566083941U) - static_cast<std::uint32_t>(i);
      advance();
    }
    begin[0] = 0x80000000U;
  }

 private:
  std::vector<std::uint32_t> m_words;
};

// Random.randbelow: the top bits of one output, drawn again until they are below n.
std::int64_t randomBelow(std::mt19937& generator, std::int64_t n) {
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n)));
  while (true) {
    const auto value = static_cast<std::int64_t>(static_cast<std::uint32_t>(generator()) >> (32 - bits));
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

// With author_parity, layers without vectors take part in the draw and are removed afterwards, as in the
// thesis' tool (method.md, Head choice).
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
  PythonSeeding seeding(seed);
  std::mt19937 generator(seeding);
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

std::vector<HeadName> chooseDenseHeads(const CapturePlan& plan, const std::vector<HeadName>& chosen) {
  if (plan.dense.empty()) return {};
  if (plan.dense == kAllHeads) return chosen;
  try {
    return headsMeant(plan.dense, chosen, "chosen by --heads");
  } catch (const UsageError& error) {
    throw UsageError(std::string("--dense: ") + error.what());
  }
}

std::vector<HeadName> keyHeadsOf(const std::vector<HeadName>& queryHeads, const ModelSpec& spec) {
  std::vector<HeadName> keys;
  for (const HeadName& head : queryHeads)
    keys.push_back({head.layer, head.head / spec.groupSize(head.layer)});
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace plastiscope
