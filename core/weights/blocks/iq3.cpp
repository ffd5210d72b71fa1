// About 3 bits an element: codebooks of four levels with signs apart; a block has 256 elements, 64 indices
// and a scale of scales (half).
#include "core/weights/blocks/blocks.h"
#include "core/weights/blocks/codebooks.h"

namespace plastiscope::blocks {

// 64 indices (bytes), then a word for each group of 32: four times seven sign bits and the scale on top;
// value = (d * (0.5 + scale) * 0.5) * level.
void iq3_xxs(const std::byte* in, std::int64_t blocks, float* out) {
  const Codebook& book = iq3xxsCodebook();
  for (std::int64_t b = 0; b < blocks; ++b, in += 98) {
    for (int k = 0; k < 64; ++k, out += 4) {
      const auto word = load<std::uint32_t>(in + 66 + k / 8 * 4);
      const unsigned signs = eightSigns((word >> (k % 8 / 2 * 7)) & 127);
      const float scale = loadHalf(in) * (0.5f + static_cast<float>(word >> 28)) * 0.5f;
      signedLevels(book[std::to_integer<std::size_t>(in[2 + k])], signs >> (k % 2 * 4), scale, 4, out);
    }
  }
}

// 64 low bytes of indices, 8 bytes of their ninth bits, 32 bytes of signs, 8 scales of four bits;
// value = (d * (1 + 2 scale)) * level.
void iq3_s(const std::byte* in, std::int64_t blocks, float* out) {
  const Codebook& book = iq3sCodebook();
  for (std::int64_t b = 0; b < blocks; ++b, in += 110) {
    for (int k = 0; k < 64; ++k, out += 4) {
      const auto ninth = std::to_integer<std::size_t>(in[66 + k / 8] >> (k % 8)) & 1;
      const int halfByte = (byteAt(in, 106 + k / 16) >> (k / 8 % 2 * 4)) & 15;
      signedLevels(book[std::to_integer<std::size_t>(in[2 + k]) | ninth << 8],
                   std::to_integer<unsigned>(in[74 + k / 2]) >> (k % 2 * 4),
                   loadHalf(in) * static_cast<float>(1 + 2 * halfByte), 4, out);
    }
  }
}

}  // namespace plastiscope::blocks
