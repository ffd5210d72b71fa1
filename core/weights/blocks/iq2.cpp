// About 2 bits an element: codebooks of eight levels with signs apart; a block has 256 elements and a scale
// of scales (half), value = (d * (0.5 + scale) * 0.25) * level.
#include "core/weights/blocks/blocks.h"
#include "core/weights/blocks/codebooks.h"

namespace plastiscope::blocks {

namespace {
float iq2ScaleFrom(float scaleOfScales, unsigned scale) {
  return scaleOfScales * (0.5f + static_cast<float>(scale)) * 0.25f;
}
// Four bits of group `g`, two groups a byte.
unsigned halfByte(const std::byte* in, int g) {
  return (std::to_integer<unsigned>(in[g / 2]) >> (g % 2 * 4)) & 15;
}
}  // namespace

// 8 groups of 32: four indices (bytes), then a word of four times seven sign bits and the scale on top.
void iq2_xxs(const std::byte* in, std::int64_t blocks, float* out) {
  const Codebook& book = iq2xxsCodebook();
  for (std::int64_t b = 0; b < blocks; ++b, in += 66) {
    const float d = loadHalf(in);
    for (int g = 0; g < 8; ++g) {
      const std::byte* indices = in + 2 + g * 8;
      const auto word = load<std::uint32_t>(indices + 4);
      for (int i = 0; i < 4; ++i, out += 8) {
        signedLevels(book[std::to_integer<std::size_t>(indices[i])], eightSigns((word >> (7 * i)) & 127),
                     iq2ScaleFrom(d, word >> 28), 8, out);
      }
    }
  }
}

// 32 words of 16 bits: index (9 bits) and seven sign bits; 16 scales of four bits, one for two words.
void iq2_xs(const std::byte* in, std::int64_t blocks, float* out) {
  const Codebook& book = iq2xsCodebook();
  for (std::int64_t b = 0; b < blocks; ++b, in += 74) {
    for (int k = 0; k < 32; ++k, out += 8) {
      const unsigned word = load<std::uint16_t>(in + 2 + k * 2);
      signedLevels(book[word & 511], eightSigns(word >> 9), iq2ScaleFrom(loadHalf(in), halfByte(in + 66, k / 2)),
                   8, out);
    }
  }
}

// 32 low bytes of indices, 32 bytes of signs, 8 bytes of upper index bits (two each), 16 scales of four bits.
void iq2_s(const std::byte* in, std::int64_t blocks, float* out) {
  const Codebook& book = iq2sCodebook();
  for (std::int64_t b = 0; b < blocks; ++b, in += 82) {
    for (int k = 0; k < 32; ++k, out += 8) {
      const auto high = std::to_integer<std::size_t>(in[66 + k / 4] >> (k % 4 * 2)) & 3;
      signedLevels(book[std::to_integer<std::size_t>(in[2 + k]) | high << 8],
                   std::to_integer<unsigned>(in[34 + k]), iq2ScaleFrom(loadHalf(in), halfByte(in + 74, k / 2)),
                   8, out);
    }
  }
}

}  // namespace plastiscope::blocks
