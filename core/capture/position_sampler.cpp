#include "core/capture/position_sampler.h"

#include <array>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/capture/samplers/samplers.h"

namespace plastiscope {

// To add a sampler: its file in samplers/, its name in samplers/samplers.h, its line here.
std::span<const PositionSampler> positionSamplers() {
  static const std::array list = {kUniformSampler, kLogUniformSampler, kAllSampler, kExactPerBucketSampler};
  return list;
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
