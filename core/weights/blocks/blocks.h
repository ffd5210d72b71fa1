#pragma once
// Converts stored types to float32, one function per type; block layouts are those of GGML's reference
// quantisation. Each function reads `blocks` blocks at `in` (any alignment) and rounds every product and sum
// to float32.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

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

// ---- Codebooks of the IQ1, IQ2 and IQ3 types: an index encodes a group of levels.

// An entry is a number with one digit per element, first element in the last digit; a codebook lists its
// entries in ascending order. `members`: bit mask of entries in hexadecimal, high bits first.
class Codebook {
 public:
  Codebook(std::string_view members, const std::vector<float>& levels, std::size_t width);
  // The `width` levels of an entry.
  const float* operator[](std::size_t index) const { return m_values.data() + index * m_width; }
  std::size_t size() const { return m_values.size() / m_width; }

 private:
  std::size_t m_width;
  std::vector<float> m_values;
};

const Codebook& iq2xxsCodebook();  // 256 entries of 8
const Codebook& iq2xsCodebook();   // 512 of 8
const Codebook& iq2sCodebook();    // 1024 of 8
const Codebook& iq3xxsCodebook();  // 256 of 4
const Codebook& iq3sCodebook();    // 512 of 4
const Codebook& iq1Codebook();     // 2048 of 8

// Expands seven sign bits to eight with an even number of minus signs.
inline unsigned eightSigns(unsigned sevenBits) {
  unsigned parity = sevenBits ^ (sevenBits >> 4);
  parity ^= parity >> 2;
  parity ^= parity >> 1;
  return sevenBits | (parity & 1u) << 7;
}

// out[i] = scale * levels[i], negated where bit i of `signs` is set.
inline void signedLevels(const float* levels, unsigned signs, float scale, int count, float* out) {
  for (int i = 0; i < count; ++i) {
    const float value = scale * levels[i];
    out[i] = ((signs >> i) & 1u) != 0 ? -value : value;
  }
}

}  // namespace plastiscope::blocks
