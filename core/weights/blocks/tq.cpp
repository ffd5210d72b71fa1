// Ternary numbers -1, 0, 1 with one scale (half) for 256 elements.
#include "core/weights/blocks/blocks.h"

namespace plastiscope::blocks {

namespace {

// `digits` ternary digits a byte, stored as a fraction of 256: times 3^n, the digit n stands before the
// point. Digit n of all `bytes` bytes comes before digit n + 1.
float* fractions(const std::byte* in, int bytes, int digits, float scale, float* out) {
  unsigned power = 1;
  for (int n = 0; n < digits; ++n, power *= 3) {
    for (int i = 0; i < bytes; ++i) {
      const unsigned shifted = std::to_integer<unsigned>(in[i]) * power & 255u;
      *out++ = scale * static_cast<float>(static_cast<int>(shifted * 3 >> 8) - 1);
    }
  }
  return out;
}

}  // namespace

// 32 and 16 bytes of five digits, 4 bytes of four, scale.
void tq1_0(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 54) {
    const float scale = loadHalf(in + 52);
    out = fractions(in, 32, 5, scale, out);
    out = fractions(in + 32, 16, 5, scale, out);
    out = fractions(in + 48, 4, 4, scale, out);
  }
}

// Two times 32 bytes of four 2-bit numbers (bit pair n of byte i: element 32 n + i), scale.
void tq2_0(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 66) {
    const float scale = loadHalf(in + 64);
    for (int row = 0; row < 8; ++row) {
      for (int i = 0; i < 32; ++i) {
        *out++ = scale * static_cast<float>(((byteAt(in, row / 4 * 32 + i) >> (row % 4 * 2)) & 3) - 1);
      }
    }
  }
}

}  // namespace plastiscope::blocks
