// Q4_K and Q5_K share their scales: 8 groups of 32 elements, each with a 6-bit scale and a 6-bit minimum in
// 12 bytes.
#include "core/weights/blocks/blocks.h"

namespace plastiscope::blocks {

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

// d and dmin (halves), 12 bytes of scales, 128 bytes: each 32 bytes hold a group in the low and the next in
// the high halves; value = (d * scale) * q - dmin * minimum.
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

// As Q4_K with 32 bytes of fifth bits before the values: bit g of byte i belongs to element i of group g.
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

}  // namespace plastiscope::blocks
