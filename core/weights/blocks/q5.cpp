// Blocks of 32 with 5-bit values: the low four bits as in q4.cpp, the fifth bit of element i is bit i of a
// 32-bit word.
#include "core/weights/blocks/blocks.h"

namespace plastiscope::blocks {

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

}  // namespace plastiscope::blocks
