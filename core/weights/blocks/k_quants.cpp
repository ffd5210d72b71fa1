#include "core/weights/blocks/blocks.h"

namespace plastiscope::blocks {

// 16 groups of 16 elements. 16 bytes (low half: scale, high half: minimum of a group), 64 bytes of 2-bit
// values, d and dmin (halves); value = (d * scale) * q - dmin * minimum. Byte i of the first 32 value bytes
// holds elements i, i + 32, i + 64, i + 96; the second 32 bytes hold the upper 128.
void q2_k(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 84) {
    const float scaleOfScales = loadHalf(in + 80);
    const float scaleOfMinima = loadHalf(in + 82);
    for (int group = 0; group < 16; ++group) {
      const int packed = byteAt(in, group);
      const float scale = scaleOfScales * static_cast<float>(packed & 15);
      const float minimum = scaleOfMinima * static_cast<float>(packed >> 4);
      const int shift = group / 2 % 4 * 2;
      const std::byte* values = in + 16 + group / 8 * 32 + group % 2 * 16;
      for (int i = 0; i < 16; ++i) {
        *out++ = scale * static_cast<float>((byteAt(values, i) >> shift) & 3) - minimum;
      }
    }
  }
}

namespace {
// 6-bit scale of a group: low four bits in bytes 0-7 (groups 0-7 in the low halves, 8-15 in the high halves),
// upper two bits in bytes 8-11 (group g in byte 8 + g % 4 at bit g / 4 * 2).
int scaleOf(const std::byte* scales, int group) {
  const int low = group < 8 ? byteAt(scales, group) & 15 : byteAt(scales, group - 8) >> 4;
  const int high = (byteAt(scales, 8 + group % 4) >> (group / 4 * 2)) & 3;
  return (low | high << 4) - 32;
}
}  // namespace

// 16 groups of 16 elements. 32 bytes of third bits (bit k of byte i: element 32 k + i), 64 bytes of 2-bit
// values as in Q2_K, 12 bytes of scales, d (half); value = (d * scale) * (q - (bit ? 0 : 4)).
void q3_k(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 110) {
    const float scaleOfScales = loadHalf(in + 108);
    for (int group = 0; group < 16; ++group) {
      const float scale = scaleOfScales * static_cast<float>(scaleOf(in + 96, group));
      const int shift = group / 2 % 4 * 2;
      const int bit = group / 2;
      const std::byte* high = in + group % 2 * 16;
      const std::byte* values = in + 32 + group / 8 * 32 + group % 2 * 16;
      for (int i = 0; i < 16; ++i) {
        const int offset = ((byteAt(high, i) >> bit) & 1) != 0 ? 0 : 4;
        *out++ = scale * static_cast<float>(((byteAt(values, i) >> shift) & 3) - offset);
      }
    }
  }
}

// ---- Q4_K and Q5_K: 8 groups of 32 elements, a 6-bit scale and a 6-bit minimum each, in 12 bytes.

namespace {
struct ScaleAndMinimum {
  int scale, minimum;
};

// Groups 0-3: low six bits of bytes g and g + 4. Groups 4-7: the halves of byte g + 4, with the top two bits
// of bytes g - 4 and g.
ScaleAndMinimum scalesOf(const std::byte* packed, int group) {
  if (group < 4) return {byteAt(packed, group) & 63, byteAt(packed, group + 4) & 63};
  const int halves = byteAt(packed, group + 4);
  return {(halves & 15) | (byteAt(packed, group - 4) >> 6) << 4, (halves >> 4) | (byteAt(packed, group) >> 6)
                                                                                     << 4};
}
}  // namespace

// d and dmin (halves), 12 bytes of scales, 128 bytes: each 32 bytes hold one group in the low halves and the
// next in the high halves; value = (d * scale) * q - dmin * minimum.
void q4_k(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 144) {
    for (int group = 0; group < 8; ++group) {
      const ScaleAndMinimum packed = scalesOf(in + 4, group);
      const float scale = loadHalf(in) * static_cast<float>(packed.scale);
      const float minimum = loadHalf(in + 2) * static_cast<float>(packed.minimum);
      const int shift = group % 2 * 4;
      const std::byte* values = in + 16 + group / 2 * 32;
      for (int i = 0; i < 32; ++i) {
        *out++ = scale * static_cast<float>((byteAt(values, i) >> shift) & 15) - minimum;
      }
    }
  }
}

// Like Q4_K with 32 bytes of fifth bits before the values: bit g of byte i is for element i of group g.
void q5_k(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 176) {
    for (int group = 0; group < 8; ++group) {
      const ScaleAndMinimum packed = scalesOf(in + 4, group);
      const float scale = loadHalf(in) * static_cast<float>(packed.scale);
      const float minimum = loadHalf(in + 2) * static_cast<float>(packed.minimum);
      const int shift = group % 2 * 4;
      const std::byte* values = in + 48 + group / 2 * 32;
      for (int i = 0; i < 32; ++i) {
        const int fifth = ((byteAt(in, 16 + i) >> group) & 1) << 4;
        *out++ = scale * static_cast<float>(((byteAt(values, i) >> shift) & 15) | fifth) - minimum;
      }
    }
  }
}

// 16 groups of 16 elements. 128 bytes of low halves, 64 bytes of upper two bits, 16 signed scales, d (half);
// value = (d * scale) * (q - 32). In each half of 128 elements, rows of 32: row r takes its low bits from
// byte 32 * (r % 2) + i (low halves for r < 2, high halves else) and its upper bits from byte i at bit 2 r.
void q6_k(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 210) {
    const float scaleOfScales = loadHalf(in + 208);
    for (int group = 0; group < 16; ++group) {
      const float scale = scaleOfScales * static_cast<float>(load<std::int8_t>(in + 192 + group));
      const int half = group / 8;
      const int row = group / 2 % 4;
      const int first = group % 2 * 16;
      const std::byte* low = in + half * 64 + row % 2 * 32 + first;
      const std::byte* high = in + 128 + half * 32 + first;
      for (int i = 0; i < 16; ++i) {
        const int value = ((byteAt(low, i) >> (row / 2 * 4)) & 15) | ((byteAt(high, i) >> (row * 2)) & 3)
                                                                         << 4;
        *out++ = scale * static_cast<float>(value - 32);
      }
    }
  }
}

}  // namespace plastiscope::blocks
