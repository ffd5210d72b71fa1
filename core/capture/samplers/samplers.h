#pragma once
// The samplers of the list in position_sampler.cpp, one file each, and what they share.
#include <random>

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
  float next() { return static_cast<float>(m_generator() & 0xFFFFFFu) * 0x1p-24f; }

 private:
  std::mt19937 m_generator;  // as torch's generator on the CPU
};

}  // namespace plastiscope
