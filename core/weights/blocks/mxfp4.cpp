// Microscaling with 4-bit floats (E2M1) and one power of two as the scale of 32 elements.
#include <array>

#include "core/weights/blocks/blocks.h"

namespace plastiscope::blocks {

// Doubled, so that all are whole: the scale below is halved.
const std::array<float, 16> kFp4Doubled = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

// Half of 2^(exponent - 127), whose smallest values are subnormal.
float halfPowerOfTwo(unsigned exponent) {
  return std::bit_cast<float>(exponent < 2 ? 0x00200000u << exponent : (exponent - 1) << 23);
}

// Exponent (1 byte), 16 bytes: byte i holds element i in its low half and element i + 16 in its high half.
void mxfp4(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 17, out += 32) {
    const float scale = halfPowerOfTwo(std::to_integer<unsigned>(in[0]));
    for (int i = 0; i < 16; ++i) {
      const auto pair = std::to_integer<std::size_t>(in[1 + i]);
      out[i] = scale * kFp4Doubled[pair & 15];
      out[i + 16] = scale * kFp4Doubled[pair >> 4];
    }
  }
}

}  // namespace plastiscope::blocks
