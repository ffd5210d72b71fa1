// Blocks of 32 4-bit values: byte i holds element i in its low half, element i + 16 in its high half.
#include <array>

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

// ---- Blocks of 32 5-bit values: low four bits as in Q4_0; bit i of a 32-bit word is the fifth bit of
// element i.

namespace {
int fifthBit(std::uint32_t high, int element) {
  return static_cast<int>((high >> element) & 1u) << 4;
}
}  // namespace

// Scale (half), high bits (4 bytes), 16 bytes; value = scale * (q - 16).
void q5_0(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 22, out += 32) {
    const float scale = loadHalf(in);
    const auto high = load<std::uint32_t>(in + 2);
    for (int i = 0; i < 16; ++i) {
      const int pair = byteAt(in, 6 + i);
      out[i] = scale * static_cast<float>(((pair & 15) | fifthBit(high, i)) - 16);
      out[i + 16] = scale * static_cast<float>(((pair >> 4) | fifthBit(high, i + 16)) - 16);
    }
  }
}

// Scale and minimum (halves), high bits (4 bytes), 16 bytes; value = scale * q + minimum.
void q5_1(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 24, out += 32) {
    const float scale = loadHalf(in);
    const float minimum = loadHalf(in + 2);
    const auto high = load<std::uint32_t>(in + 4);
    for (int i = 0; i < 16; ++i) {
      const int pair = byteAt(in, 8 + i);
      out[i] = scale * static_cast<float>((pair & 15) | fifthBit(high, i)) + minimum;
      out[i + 16] = scale * static_cast<float>((pair >> 4) | fifthBit(high, i + 16)) + minimum;
    }
  }
}

// Scale (half), 32 signed bytes; value = scale * q.
void q8_0(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 34, out += 32) {
    const float scale = loadHalf(in);
    for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(load<std::int8_t>(in + 2 + i));
  }
}

// ---- MXFP4: 4-bit floats (E2M1), one power of two as scale of 32 elements.

// Doubled to get integers; the scale is halved instead.
const std::array<float, 16> kFp4Doubled = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

// 2^(exponent - 127) / 2; the smallest values are subnormal.
float halfPowerOfTwo(unsigned exponent) {
  return std::bit_cast<float>(exponent < 2 ? 0x00200000u << exponent : (exponent - 1) << 23);
}

// Exponent (1 byte), 16 bytes with the values as in Q4_0.
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
