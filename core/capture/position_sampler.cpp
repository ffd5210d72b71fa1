#include "core/capture/position_sampler.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/base/error.h"
#include "core/base/random.h"

namespace plastiscope {

namespace {

// ---- uniform

double keepProbability(const SamplerSettings& settings) {
  return std::min(1.0, settings.rate / static_cast<double>(settings.bucketSize));
}

SampledRows sampleUniform(const SamplerSettings& settings, std::uint64_t seed, std::int64_t length) {
  const auto keep = static_cast<float>(keepProbability(settings));
  TokenNumbers numbers(seed);
  SampledRows rows;
  for (std::int64_t t = 0; t < length; ++t) {
    if (numbers.next() >= keep) continue;
    rows.positions.push_back(static_cast<std::int32_t>(t));
    rows.buckets.push_back(static_cast<std::int32_t>(t / settings.bucketSize));
  }
  return rows;
}

double expectedRowsUniform(const SamplerSettings& settings, std::int64_t length) {
  return static_cast<double>(length) * keepProbability(settings);
}

// ---- log_uniform

// ceil(log2(B)): buckets below it are merged into it.
int firstBucket(const SamplerSettings& settings) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(settings.bucketSize - 1)));
}

int bucketOf(std::int64_t position, int first) {
  const int floorLog2 = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(position + 1))) - 1;
  return std::max(first, floorLog2);
}

double keepInBucket(const SamplerSettings& settings, int bucket) {
  return std::min(1.0, std::ldexp(settings.rate, -bucket));
}

SampledRows sampleLogUniform(const SamplerSettings& settings, std::uint64_t seed, std::int64_t length) {
  const int first = firstBucket(settings);
  TokenNumbers numbers(seed);
  SampledRows rows;
  for (std::int64_t t = 0; t < length; ++t) {
    const int bucket = bucketOf(t, first);
    if (numbers.next() >= static_cast<float>(keepInBucket(settings, bucket))) continue;
    rows.positions.push_back(static_cast<std::int32_t>(t));
    rows.buckets.push_back(bucket);
  }
  return rows;
}

double expectedRowsLogUniform(const SamplerSettings& settings, std::int64_t length) {
  const int first = firstBucket(settings);
  double rows = 0;
  for (std::int64_t t = 0; t < length; ++t) rows += keepInBucket(settings, bucketOf(t, first));
  return rows;
}

// ---- all

SampledRows sampleAll(const SamplerSettings& settings, std::uint64_t /*seed*/, std::int64_t length) {
  SampledRows rows;
  for (std::int64_t t = 0; t < length; ++t) {
    rows.positions.push_back(static_cast<std::int32_t>(t));
    rows.buckets.push_back(static_cast<std::int32_t>(t / settings.bucketSize));
  }
  return rows;
}

double expectedRowsAll(const SamplerSettings&, std::int64_t length) {
  return static_cast<double>(length);
}

// ---- exact_per_bucket

std::size_t rowsPerBucket(const SamplerSettings& settings) {
  return static_cast<std::size_t>(std::clamp(std::floor(settings.rate + 0.5), 1.0, 1e9));
}

struct Drawn {
  float number;
  std::int32_t position;
  auto operator<=>(const Drawn&) const = default;
};

SampledRows sampleExactPerBucket(const SamplerSettings& settings, std::uint64_t seed, std::int64_t length) {
  const std::size_t wanted = rowsPerBucket(settings);
  TokenNumbers numbers(seed);
  SampledRows rows;
  std::vector<Drawn> bucket;
  for (std::int64_t start = 0; start < length; start += settings.bucketSize) {
    const std::int64_t end = std::min(length, start + settings.bucketSize);
    bucket.clear();
    for (std::int64_t t = start; t < end; ++t)
      bucket.push_back({numbers.next(), static_cast<std::int32_t>(t)});
    if (bucket.size() > wanted) {
      const auto last = bucket.begin() + static_cast<std::ptrdiff_t>(wanted);
      std::nth_element(bucket.begin(), last, bucket.end());
      bucket.erase(last, bucket.end());
    }
    std::sort(bucket.begin(), bucket.end(),
              [](const Drawn& a, const Drawn& b) { return a.position < b.position; });
    for (const Drawn& kept : bucket) {
      rows.positions.push_back(kept.position);
      rows.buckets.push_back(static_cast<std::int32_t>(start / settings.bucketSize));
    }
  }
  return rows;
}

double expectedRowsExactPerBucket(const SamplerSettings& settings, std::int64_t length) {
  const auto wanted = static_cast<std::int64_t>(rowsPerBucket(settings));
  return static_cast<double>(length / settings.bucketSize * std::min(wanted, settings.bucketSize) +
                             std::min(wanted, length % settings.bucketSize));
}

}  // namespace

// To add a sampler: two functions above and an entry here.
std::span<const PositionSampler> positionSamplers() {
  static constexpr std::array kList = {
      PositionSampler{"uniform", "each token with probability rate / bucket size", sampleUniform,
                      expectedRowsUniform},
      PositionSampler{"log_uniform", "buckets that double: about rate rows in each", sampleLogUniform,
                      expectedRowsLogUniform},
      PositionSampler{"all", "every token", sampleAll, expectedRowsAll},
      PositionSampler{"exact_per_bucket", "exactly round(rate) tokens of each bucket", sampleExactPerBucket,
                      expectedRowsExactPerBucket}};
  return kList;
}

const PositionSampler& positionSampler(const std::string& name) {
  std::string known;
  for (const PositionSampler& sampler : positionSamplers()) {
    if (sampler.name == name) return sampler;
    known += " " + std::string(sampler.name);
  }
  throw UsageError("sampler " + name + " is not known; known:" + known);
}

std::uint64_t sampleSeed(std::int64_t example, std::int64_t layer, QueryOrKey kind,
                         std::optional<std::uint64_t> userSeed) {
  std::uint64_t seed = combine(kSeedStart, mix64(static_cast<std::uint64_t>(example)));
  seed = combine(seed, mix64(static_cast<std::uint64_t>(layer)));
  seed = combine(seed, mix64(seedOf(kind)));
  return userSeed ? combine(seed, mix64(*userSeed)) : seed;
}

}  // namespace plastiscope
