#include "core/weights/blocks/blocks.h"

namespace plastiscope::blocks {

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
