#pragma once
// The codebooks of the IQ1, IQ2 and IQ3 types: an index stands for a whole group of levels.
#include <cstddef>
#include <string_view>
#include <vector>

namespace plastiscope::blocks {

// An entry is a number with one digit per element, the first element last; a codebook is the ascending list
// of its numbers. `members`: one bit a number, from the highest of each hexadecimal digit on.
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

// Seven sign bits stand for eight signs, of which an even number is minus.
inline unsigned eightSigns(unsigned sevenBits) {
  unsigned parity = sevenBits ^ (sevenBits >> 4);
  parity ^= parity >> 2;
  parity ^= parity >> 1;
  return sevenBits | (parity & 1u) << 7;
}

// out[i] = scale * levels[i], minus where bit i of `signs` is set.
inline void signedLevels(const float* levels, unsigned signs, float scale, int count, float* out) {
  for (int i = 0; i < count; ++i) {
    const float value = scale * levels[i];
    out[i] = ((signs >> i) & 1u) != 0 ? -value : value;
  }
}

}  // namespace plastiscope::blocks
