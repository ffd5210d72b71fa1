#pragma once
// 16-bit floating point numbers as stored in files.
#include <bit>
#include <cstdint>
#include <span>

namespace plastiscope {

float halfToFloat(std::uint16_t bits);   // IEEE binary16
std::uint16_t floatToHalf(float value);  // round to nearest even; overflow gives infinity
inline float bfloat16ToFloat(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

void halfToFloat(std::span<const std::uint16_t> in, std::span<float> out);
void floatToHalf(std::span<const float> in, std::span<std::uint16_t> out);

// Largest finite binary16 value.
inline constexpr float kHalfMax = 65504.0f;

}  // namespace plastiscope
