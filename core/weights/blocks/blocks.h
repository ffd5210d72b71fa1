#pragma once
// Converts stored types to float32, one function per type; block layouts are those of GGML's reference
// quantisation. Each function reads `blocks` blocks at `in` (any alignment) and rounds every product and sum
// to float32.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/half.h"

namespace plastiscope::blocks {

static_assert(std::endian::native == std::endian::little, "weight files are little-endian");

template <typename Number>
Number load(const std::byte* in) {
  Number value;
  std::memcpy(&value, in, sizeof value);
  return value;
}
inline float loadHalf(const std::byte* in) {
  return halfToFloat(load<std::uint16_t>(in));
}
inline int byteAt(const std::byte* in, std::int64_t i) {
  return std::to_integer<int>(in[i]);
}

// Plain numbers: one element per block.
template <typename Number>
void plainToFloat(const std::byte* in, std::int64_t count, float* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = static_cast<float>(load<Number>(in + i * static_cast<std::int64_t>(sizeof(Number))));
  }
}
void f16(const std::byte* in, std::int64_t count, float* out);
void bf16(const std::byte* in, std::int64_t count, float* out);
void f8_e4m3(const std::byte* in, std::int64_t count, float* out);
void f8_e5m2(const std::byte* in, std::int64_t count, float* out);

// 32 elements per block.
void q4_0(const std::byte* in, std::int64_t blocks, float* out);
void q4_1(const std::byte* in, std::int64_t blocks, float* out);
void q5_0(const std::byte* in, std::int64_t blocks, float* out);
void q5_1(const std::byte* in, std::int64_t blocks, float* out);
void q8_0(const std::byte* in, std::int64_t blocks, float* out);
void iq4_nl(const std::byte* in, std::int64_t blocks, float* out);
void mxfp4(const std::byte* in, std::int64_t blocks, float* out);

// 256 elements per block.
void q2_k(const std::byte* in, std::int64_t blocks, float* out);
void q3_k(const std::byte* in, std::int64_t blocks, float* out);
void q4_k(const std::byte* in, std::int64_t blocks, float* out);
void q5_k(const std::byte* in, std::int64_t blocks, float* out);
void q6_k(const std::byte* in, std::int64_t blocks, float* out);
void iq1_s(const std::byte* in, std::int64_t blocks, float* out);
void iq1_m(const std::byte* in, std::int64_t blocks, float* out);
void iq2_xxs(const std::byte* in, std::int64_t blocks, float* out);
void iq2_xs(const std::byte* in, std::int64_t blocks, float* out);
void iq2_s(const std::byte* in, std::int64_t blocks, float* out);
void iq3_xxs(const std::byte* in, std::int64_t blocks, float* out);
void iq3_s(const std::byte* in, std::int64_t blocks, float* out);
void iq4_xs(const std::byte* in, std::int64_t blocks, float* out);
void tq1_0(const std::byte* in, std::int64_t blocks, float* out);
void tq2_0(const std::byte* in, std::int64_t blocks, float* out);

// MXFP4 in both containers: the 16 values times 2, and 2^(exponent - 127) / 2.
extern const std::array<float, 16> kFp4Doubled;
float halfPowerOfTwo(unsigned exponent);

}  // namespace plastiscope::blocks
