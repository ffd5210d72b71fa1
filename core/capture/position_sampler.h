#pragma once
// Position samplers, bit for bit as in method.md, Position sampling.
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/query_or_key.h"

namespace plastiscope {

struct SamplerSettings {
  std::int64_t window = 0;
  std::int64_t bucketSize = 1;
  double rate = 1;
};

// One number in [0, 1) per token, in position order (method.md, Position sampling).
class TokenNumbers {
 public:
  explicit TokenNumbers(std::uint64_t seed) : m_generator(static_cast<std::uint32_t>(seed)) {}
  float next() { return static_cast<float>(m_generator() & 0xFFFFFFu) * 0x1p-24f; }

 private:
  std::mt19937 m_generator;  // seeded as torch's CPU generator
};

struct SampledRows {
  std::vector<std::int32_t> positions;  // ascending
  std::vector<std::int32_t> buckets;
};

struct PositionSampler {
  std::string_view name;
  std::string_view help;
  // `seed` from sampleSeed(); length = valid tokens of the example.
  SampledRows (*sample)(const SamplerSettings& settings, std::uint64_t seed, std::int64_t length);
  // Expected number of rows of an example of that length.
  double (*expectedRows)(const SamplerSettings& settings, std::int64_t length);
};

std::span<const PositionSampler> positionSamplers();
const PositionSampler& positionSampler(const std::string& name);  // UsageError lists the known names

std::uint64_t sampleSeed(std::int64_t example, std::int64_t layer, QueryOrKey kind,
                         std::optional<std::uint64_t> userSeed = {});

}  // namespace plastiscope
