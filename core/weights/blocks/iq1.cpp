// Less than 2 bits an element: a codebook of eight levels -1, 0, 1, shifted by an eighth up or down; a block
// has 256 elements; value = (d * (2 scale + 1)) * (level + shift).
#include "core/weights/blocks/blocks.h"
#include "core/weights/blocks/codebooks.h"

namespace plastiscope::blocks {

namespace {
void shiftedLevels(const float* levels, bool down, float scale, float* out) {
  for (int i = 0; i < 8; ++i) out[i] = scale * (levels[i] + (down ? -0.125f : 0.125f));
}
float scaleFrom(float scaleOfScales, unsigned scale) {
  return scaleOfScales * static_cast<float>(2 * scale + 1);
}
}  // namespace

// Scale of scales (half), 32 low bytes of indices, a word of 16 bits for each group of 32: four times three
// upper index bits, three bits of scale, the shift's sign.
void iq1_s(const std::byte* in, std::int64_t blocks, float* out) {
  const Codebook& book = iq1Codebook();
  for (std::int64_t b = 0; b < blocks; ++b, in += 50) {
    for (int k = 0; k < 32; ++k, out += 8) {
      const unsigned word = load<std::uint16_t>(in + 34 + k / 4 * 2);
      const std::size_t high = (word >> (k % 4 * 3)) & 7;
      shiftedLevels(book[std::to_integer<std::size_t>(in[2 + k]) | high << 8], (word & 0x8000) != 0,
                    scaleFrom(loadHalf(in), (word >> 12) & 7), out);
    }
  }
}

// 32 low bytes of indices, 16 bytes of half bytes (three upper index bits and the shift's sign), four words
// of 16 bits: four times three bits of scale, and on top a quarter of the scale of scales, the lowest first.
void iq1_m(const std::byte* in, std::int64_t blocks, float* out) {
  const Codebook& book = iq1Codebook();
  for (std::int64_t b = 0; b < blocks; ++b, in += 56) {
    const auto word = [&](int i) { return unsigned{load<std::uint16_t>(in + 48 + i * 2)}; };
    unsigned half = 0;
    for (int i = 0; i < 4; ++i) half |= word(i) >> 12 << (4 * i);
    const float d = halfToFloat(static_cast<std::uint16_t>(half));
    for (int k = 0; k < 32; ++k, out += 8) {
      const unsigned packed = std::to_integer<unsigned>(in[32 + k / 2]) >> (k % 2 * 4) & 15u;
      const std::size_t high = packed & 7;
      const int g = k / 2;
      shiftedLevels(book[std::to_integer<std::size_t>(in[k]) | high << 8], (packed & 8) != 0,
                    scaleFrom(d, (word(g / 4) >> (g % 4 * 3)) & 7), out);
    }
  }
}

}  // namespace plastiscope::blocks
