#pragma once
// The samplers of the list in position_sampler.cpp, one file each, and what they share.
#include "core/capture/mersenne_twister.h"
#include "core/capture/position_sampler.h"

namespace plastiscope {

extern const PositionSampler kUniformSampler;
extern const PositionSampler kLogUniformSampler;
extern const PositionSampler kAllSampler;
extern const PositionSampler kExactPerBucketSampler;

// One number in [0, 1) per token, in position order (method.md 1.3).
class TokenNumbers {
 public:
  explicit TokenNumbers(std::uint64_t seed) : m_generator(static_cast<std::uint32_t>(seed)) {}
  float next() { return static_cast<float>(m_generator.next() & 0xFFFFFFu) * 0x1p-24f; }

 private:
  MersenneTwister m_generator;
};

}  // namespace plastiscope
