// Blocks of 32 4-bit values: byte i holds element i in its low half, element i + 16 in its high half.
#include <algorithm>
#include <array>
#include <limits>

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

// ---- Plain numbers

void f16(const std::byte* in, std::int64_t count, float* out) {
  std::array<std::uint16_t, 1024> aligned{};  // the bytes may be unaligned
  for (std::int64_t done = 0; done < count;) {
    const auto n = static_cast<std::size_t>(std::min<std::int64_t>(count - done, aligned.size()));
    std::memcpy(aligned.data(), in + done * 2, n * 2);
    halfToFloat(std::span(aligned.data(), n), std::span(out + done, n));
    done += static_cast<std::int64_t>(n);
  }
}

void bf16(const std::byte* in, std::int64_t count, float* out) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = bfloat16ToFloat(load<std::uint16_t>(in + i * 2));
}

// ---- 8-bit floating point, by lookup tables of all 256 values.

namespace {

using Table = std::array<float, 256>;

// Sign, exponent, mantissa from the top; mantissa / 2^mantissaBits is added to 1, or to 0 at exponent 0.
constexpr float valueOf(unsigned bits, unsigned mantissaBits, int bias) {
  const unsigned mantissa = bits & ((1u << mantissaBits) - 1);
  const unsigned exponent = (bits & 0x7F) >> mantissaBits;
  float value = static_cast<float>(exponent == 0 ? mantissa : mantissa + (1u << mantissaBits));
  const int power = (exponent == 0 ? 1 : static_cast<int>(exponent)) - bias - static_cast<int>(mantissaBits);
  for (int i = 0; i < power; ++i) value *= 2;
  for (int i = power; i < 0; ++i) value /= 2;
  return (bits & 0x80) != 0 ? -value : value;
}

// "fn": no infinities; NaN only where all bits below the sign are set.
constexpr Table kE4m3 = [] {
  Table table{};
  for (unsigned bits = 0; bits < 256; ++bits) {
    table[bits] = (bits & 0x7F) == 0x7F ? std::numeric_limits<float>::quiet_NaN() : valueOf(bits, 3, 7);
  }
  return table;
}();

// The upper byte of a half, including infinities and NaNs.
constexpr Table kE5m2 = [] {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Table table{};
  for (unsigned bits = 0; bits < 256; ++bits) {
    const bool isNumber = (bits & 0x7C) != 0x7C;
    const float other = (bits & 3) != 0 ? std::numeric_limits<float>::quiet_NaN()
                                        : ((bits & 0x80) != 0 ? -kInfinity : kInfinity);
    table[bits] = isNumber ? valueOf(bits, 2, 15) : other;
  }
  return table;
}();

void lookUp(const Table& table, const std::byte* in, std::int64_t count, float* out) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = table[std::to_integer<std::size_t>(in[i])];
}

}  // namespace

void f8_e4m3(const std::byte* in, std::int64_t count, float* out) {
  lookUp(kE4m3, in, count, out);
}
void f8_e5m2(const std::byte* in, std::int64_t count, float* out) {
  lookUp(kE5m2, in, count, out);
}

}  // namespace plastiscope::blocks
