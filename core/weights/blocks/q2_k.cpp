#include "core/weights/blocks/blocks.h"

namespace plastiscope::blocks {

// 16 groups of 16 elements. 16 bytes (low half: scale, high half: minimum of a group), 64 bytes of 2-bit
// values, scale of scales and scale of minima (halves); value = (d * scale) * q - dmin * minimum. Byte i of
// the first 32 value bytes holds elements i, i + 32, i + 64, i + 96; the second 32 hold the upper 128.
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

}  // namespace plastiscope::blocks
