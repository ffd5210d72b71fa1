// Blocks of 32 with 4-bit values: byte i holds element i in its low half and element i + 16 in its high half.
#include "core/weights/blocks/blocks.h"

namespace plastiscope::blocks {

// Scale (half), 16 bytes; value = scale * (q - 8).
void q4_0(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 18, out += 32) {
    const float scale = loadHalf(in);
    for (int i = 0; i < 16; ++i) {
      const int pair = byteAt(in, 2 + i);
      out[i] = scale * static_cast<float>((pair & 15) - 8);
      out[i + 16] = scale * static_cast<float>((pair >> 4) - 8);
    }
  }
}

// Scale and minimum (halves), 16 bytes; value = scale * q + minimum.
void q4_1(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 20, out += 32) {
    const float scale = loadHalf(in);
    const float minimum = loadHalf(in + 2);
    for (int i = 0; i < 16; ++i) {
      const int pair = byteAt(in, 4 + i);
      out[i] = scale * static_cast<float>(pair & 15) + minimum;
      out[i + 16] = scale * static_cast<float>(pair >> 4) + minimum;
    }
  }
}

}  // namespace plastiscope::blocks
