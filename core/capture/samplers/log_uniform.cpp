#include <algorithm>
#include <bit>
#include <cmath>

#include "core/capture/samplers/samplers.h"

namespace plastiscope {

namespace {

// ceil(log2(B)): buckets below it are merged into it.
int firstBucket(const SamplerSettings& settings) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(settings.bucketSize - 1)));
}

int bucketOf(std::int64_t position, int first) {
  const int floorLog2 = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(position + 1))) - 1;
  return std::max(first, floorLog2);
}

double keepProbability(const SamplerSettings& settings, int bucket) {
  return std::min(1.0, std::ldexp(settings.rate, -bucket));
}

SampledRows sampleLogUniform(const SamplerSettings& settings, std::uint64_t seed, std::int64_t length) {
  const int first = firstBucket(settings);
  TokenNumbers numbers(seed);
  SampledRows rows;
  for (std::int64_t t = 0; t < length; ++t) {
    const int bucket = bucketOf(t, first);
    if (numbers.next() >= static_cast<float>(keepProbability(settings, bucket))) continue;
    rows.positions.push_back(static_cast<std::int32_t>(t));
    rows.buckets.push_back(bucket);
  }
  return rows;
}

double expectedRowsLogUniform(const SamplerSettings& settings, std::int64_t length) {
  const int first = firstBucket(settings);
  double rows = 0;
  for (std::int64_t t = 0; t < length; ++t) rows += keepProbability(settings, bucketOf(t, first));
  return rows;
}

}  // namespace

const PositionSampler kLogUniformSampler = {"log_uniform", "buckets that double: about rate rows in each",
                                            sampleLogUniform, expectedRowsLogUniform};

}  // namespace plastiscope
