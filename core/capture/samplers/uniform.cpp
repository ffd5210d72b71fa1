#include <algorithm>

#include "core/capture/samplers/samplers.h"

namespace plastiscope {

namespace {

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

}  // namespace

const PositionSampler kUniformSampler = {"uniform", "each token with probability rate / bucket size", sampleUniform,
                                         expectedRowsUniform};

}  // namespace plastiscope
