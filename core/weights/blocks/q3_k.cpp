#include "core/weights/blocks/blocks.h"

namespace plastiscope::blocks {

namespace {
// 6-bit scale of a group: low four bits in bytes 0-7 (groups 0-7 in the low halves, 8-15 in the high halves),
// upper two bits in bytes 8-11 (group g in byte 8 + g % 4 at bit g / 4 * 2).
int scaleOf(const std::byte* scales, int group) {
  const int low = group < 8 ? byteAt(scales, group) & 15 : byteAt(scales, group - 8) >> 4;
  const int high = (byteAt(scales, 8 + group % 4) >> (group / 4 * 2)) & 3;
  return (low | high << 4) - 32;
}
}  // namespace

// 16 groups of 16 elements. 32 bytes of third bits (bit k of byte i: element 32 k + i; set = no offset), 64
// bytes of 2-bit values as in Q2_K, 12 bytes of scales, scale of scales (half); value = (d * scale) * (q -
// (bit ? 0 : 4)).
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

}  // namespace plastiscope::blocks
