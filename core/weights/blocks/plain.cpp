#include <algorithm>
#include <array>
#include <limits>

#include "core/weights/blocks/blocks.h"

namespace plastiscope::blocks {

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
