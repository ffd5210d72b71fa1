#include "core/base/random.h"

namespace plastiscope {

std::uint64_t PairGenerator::next() {
  m_state += 0x9E3779B97F4A7C15u;
  return mix64(m_state);
}

std::uint64_t PairGenerator::below(std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next()) * n;
  auto low = static_cast<std::uint64_t>(product);
  if (low < n) {
    const std::uint64_t threshold = (0 - n) % n;
    while (low < threshold) {
      product = static_cast<Wide>(next()) * n;
      low = static_cast<std::uint64_t>(product);
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace plastiscope
