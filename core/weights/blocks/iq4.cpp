// 4-bit numbers of 16 uneven levels; byte i holds element i in its low half and element i + 16 in its high
// half.
#include <array>

#include "core/weights/blocks/blocks.h"

namespace plastiscope::blocks {

namespace {

constexpr std::array<float, 16> kLevels = {-127, -104, -83, -65, -49, -35, -22, -10,
                                           1,    13,   25,  38,  53,  69,  89,  113};

void group(const std::byte* in, float scale, float* out) {
  for (int i = 0; i < 16; ++i) {
    const auto pair = std::to_integer<std::size_t>(in[i]);
    out[i] = scale * kLevels[pair & 15];
    out[i + 16] = scale * kLevels[pair >> 4];
  }
}

}  // namespace

// Scale (half), 16 bytes; value = scale * level.
void iq4_nl(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 18, out += 32) group(in + 2, loadHalf(in), out);
}

// 8 groups of 32. Scale of scales (half), upper two bits of the scales (16 bits, group g at bit 2 g), their
// low four bits (4 bytes, two groups each), 128 bytes; value = (d * (scale - 32)) * level.
void iq4_xs(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 136) {
    const float scaleOfScales = loadHalf(in);
    const int high = load<std::uint16_t>(in + 2);
    for (int g = 0; g < 8; ++g, out += 32) {
      const int scale = ((byteAt(in, 4 + g / 2) >> (g % 2 * 4)) & 15) | ((high >> (g * 2)) & 3) << 4;
      group(in + 8 + g * 16, scaleOfScales * static_cast<float>(scale - 32), out);
    }
  }
}

}  // namespace plastiscope::blocks
