// IQ1, less than 2 bits per element: codebook of eight levels -1, 0, 1, shifted by +-1/8; blocks of 256
// elements; value = (d * (2 scale + 1)) * (level + shift).
#include <array>

#include "core/weights/blocks/blocks.h"

namespace plastiscope::blocks {

namespace {
void shiftedLevels(const float* levels, bool down, float scale, float* out) {
  for (int i = 0; i < 8; ++i) out[i] = scale * (levels[i] + (down ? -0.125f : 0.125f));
}
float scaleFrom(float scaleOfScales, unsigned scale) {
  return scaleOfScales * static_cast<float>(2 * scale + 1);
}
}  // namespace

// d (half), 32 low bytes of indices, one 16-bit word per group of 32: four times three upper index bits,
// three bits of scale, sign of the shift.
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

// 32 low bytes of indices, 16 bytes of 4-bit values (three upper index bits, sign of the shift), four 16-bit
// words: four times three bits of scale, in the top four bits a quarter of d, lowest first.
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

// ---- IQ2, about 2 bits per element: codebooks of eight levels, separate signs; blocks of 256 elements with
// a scale d (half); value = (d * (0.5 + scale) * 0.25) * level.

namespace {
float iq2ScaleFrom(float scaleOfScales, unsigned scale) {
  return scaleOfScales * (0.5f + static_cast<float>(scale)) * 0.25f;
}
// 4-bit value of group `g`, two groups per byte.
unsigned halfByte(const std::byte* in, int g) {
  return (std::to_integer<unsigned>(in[g / 2]) >> (g % 2 * 4)) & 15;
}
}  // namespace

// 8 groups of 32: four indices (bytes), a word with four times seven sign bits and the scale at the top.
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

// 32 16-bit words: index (9 bits) and seven sign bits; 16 4-bit scales, one per two words.
void iq2_xs(const std::byte* in, std::int64_t blocks, float* out) {
  const Codebook& book = iq2xsCodebook();
  for (std::int64_t b = 0; b < blocks; ++b, in += 74) {
    for (int k = 0; k < 32; ++k, out += 8) {
      const unsigned word = load<std::uint16_t>(in + 2 + k * 2);
      signedLevels(book[word & 511], eightSigns(word >> 9),
                   iq2ScaleFrom(loadHalf(in), halfByte(in + 66, k / 2)), 8, out);
    }
  }
}

// 32 low bytes of indices, 32 bytes of signs, 8 bytes of upper index bits (two each), 16 4-bit scales.
void iq2_s(const std::byte* in, std::int64_t blocks, float* out) {
  const Codebook& book = iq2sCodebook();
  for (std::int64_t b = 0; b < blocks; ++b, in += 82) {
    for (int k = 0; k < 32; ++k, out += 8) {
      const auto high = std::to_integer<std::size_t>(in[66 + k / 4] >> (k % 4 * 2)) & 3;
      signedLevels(book[std::to_integer<std::size_t>(in[2 + k]) | high << 8],
                   std::to_integer<unsigned>(in[34 + k]),
                   iq2ScaleFrom(loadHalf(in), halfByte(in + 74, k / 2)), 8, out);
    }
  }
}

// ---- IQ3, about 3 bits per element: codebooks of four levels, separate signs; blocks of 256 elements, 64
// indices, a scale d (half).

// 64 indices (bytes), then one word per group of 32: four times seven sign bits, the scale in the top bits;
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

// 64 low bytes of indices, 8 bytes with the ninth bits, 32 bytes of signs, 8 4-bit scales; value = (d * (1 +
// 2 scale)) * level.
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

// ---- IQ4: 4-bit indices of 16 nonuniform levels; byte i holds element i in its low half, element i + 16 in
// its high half.

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

// 8 groups of 32. d (half), upper two bits of the scales (16 bits, group g at bit 2 g), their low four bits
// (4 bytes, two groups each), 128 bytes; value = (d * (scale - 32)) * level.
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

// ---- TQ, ternary: -1, 0, 1 with one scale (half) per 256 elements.

namespace {

// Each byte holds `digits` ternary digits as a fraction of 256: times 3^n puts digit n before the point.
// Digit n of all `bytes` bytes precedes digit n + 1.
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

// 32 and 16 bytes of five digits each, 4 bytes of four, scale.
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
