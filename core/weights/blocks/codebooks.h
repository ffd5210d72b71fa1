#pragma once
// Codebooks of the IQ1, IQ2 and IQ3 types: an index encodes a group of levels.
#include <cstddef>
#include <string_view>
#include <vector>

namespace plastiscope::blocks {

// An entry is a number with one digit per element, first element in the last digit; a codebook lists its
// entries in ascending order. `members`: bit mask of entries in hexadecimal, high bits first.
class Codebook {
 public:
  Codebook(std::string_view members, const std::vector<float>& levels, std::size_t width);
  // The `width` levels of an entry.
  const float* operator[](std::size_t index) const { return m_values.data() + index * m_width; }
  std::size_t size() const { return m_values.size() / m_width; }

 private:
  std::size_t m_width;
  std::vector<float> m_values;
};

const Codebook& iq2xxsCodebook();  // 256 entries of 8
const Codebook& iq2xsCodebook();   // 512 of 8
const Codebook& iq2sCodebook();    // 1024 of 8
const Codebook& iq3xxsCodebook();  // 256 of 4
const Codebook& iq3sCodebook();    // 512 of 4
const Codebook& iq1Codebook();     // 2048 of 8

// Expands seven sign bits to eight with an even number of minus signs.
inline unsigned eightSigns(unsigned sevenBits) {
  unsigned parity = sevenBits ^ (sevenBits >> 4);
  parity ^= parity >> 2;
  parity ^= parity >> 1;
  return sevenBits | (parity & 1u) << 7;
}

// out[i] = scale * levels[i], negated where bit i of `signs` is set.
inline void signedLevels(const float* levels, unsigned signs, float scale, int count, float* out) {
  for (int i = 0; i < count; ++i) {
    const float value = scale * levels[i];
    out[i] = ((signs >> i) & 1u) != 0 ? -value : value;
  }
}

}  // namespace plastiscope::blocks
