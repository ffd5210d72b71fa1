#pragma once
// Widening to float32, one function per type; the block layouts are those of GGML's reference quantisation.
// Every function reads `blocks` blocks at `in`, whatever its alignment, and rounds each product and sum to
// float32.
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

// Plain numbers: one element a block.
template <typename Number>
void plainToFloat(const std::byte* in, std::int64_t count, float* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = static_cast<float>(load<Number>(in + i * static_cast<std::int64_t>(sizeof(Number))));
  }
}
void f16(const std::byte* in, std::int64_t count, float* out);
void bf16(const std::byte* in, std::int64_t count, float* out);

// 32 elements a block.
void q4_0(const std::byte* in, std::int64_t blocks, float* out);
void q4_1(const std::byte* in, std::int64_t blocks, float* out);
void q5_0(const std::byte* in, std::int64_t blocks, float* out);
void q5_1(const std::byte* in, std::int64_t blocks, float* out);
void q8_0(const std::byte* in, std::int64_t blocks, float* out);

// 256 elements a block.
void q2_k(const std::byte* in, std::int64_t blocks, float* out);
void q3_k(const std::byte* in, std::int64_t blocks, float* out);
void q4_k(const std::byte* in, std::int64_t blocks, float* out);
void q5_k(const std::byte* in, std::int64_t blocks, float* out);
void q6_k(const std::byte* in, std::int64_t blocks, float* out);

}  // namespace plastiscope::blocks
