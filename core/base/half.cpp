#include "core/base/half.h"

#include <Eigen/Core>
#include <bit>

namespace plastiscope {

float halfToFloat(std::uint16_t bits) {
  return Eigen::half_impl::half_to_float(Eigen::half_impl::raw_uint16_to_half(bits));
}

std::uint16_t floatToHalf(float value) {
  return Eigen::numext::bit_cast<std::uint16_t>(Eigen::half(value));
}

float bfloat16ToFloat(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

void halfToFloat(std::span<const std::uint16_t> in, std::span<float> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = halfToFloat(in[i]);
}

void floatToHalf(std::span<const float> in, std::span<std::uint16_t> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = floatToHalf(in[i]);
}

void bfloat16ToFloat(std::span<const std::uint16_t> in, std::span<float> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = bfloat16ToFloat(in[i]);
}

}  // namespace plastiscope
