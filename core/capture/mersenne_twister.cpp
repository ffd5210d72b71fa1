#include "core/capture/mersenne_twister.h"

#include <algorithm>

namespace plastiscope {

namespace {
constexpr std::size_t kSize = 624, kShift = 397;
}

MersenneTwister::MersenneTwister(std::uint32_t seed) {
  m_state[0] = seed;
  for (std::uint32_t i = 1; i < kSize; ++i) {
    m_state[i] = 1812433253u * (m_state[i - 1] ^ (m_state[i - 1] >> 30)) + i;
  }
}

MersenneTwister::MersenneTwister(std::span<const std::uint32_t> key) : MersenneTwister(19650218u) {
  std::size_t i = 1, j = 0;
  const auto step = [&](std::uint32_t factor) {
    return m_state[i] ^ ((m_state[i - 1] ^ (m_state[i - 1] >> 30)) * factor);
  };
  const auto advance = [&] {
    if (++i < kSize) return;
    m_state[0] = m_state[kSize - 1];
    i = 1;
  };
  for (std::size_t k = std::max(kSize, key.size()); k > 0; --k) {
    m_state[i] = step(1664525u) + key[j] + static_cast<std::uint32_t>(j);
    advance();
    if (++j == key.size()) j = 0;
  }
  for (std::size_t k = kSize - 1; k > 0; --k) {
    m_state[i] = step(1566083941u) - static_cast<std::uint32_t>(i);
    advance();
  }
  m_state[0] = 0x80000000u;
}

void MersenneTwister::refill() {
  for (std::size_t i = 0; i < kSize; ++i) {
    const std::uint32_t mixed = (m_state[i] & 0x80000000u) | (m_state[(i + 1) % kSize] & 0x7FFFFFFFu);
    m_state[i] = m_state[(i + kShift) % kSize] ^ (mixed >> 1) ^ ((mixed & 1u) != 0 ? 0x9908B0DFu : 0u);
  }
  m_used = 0;
}

std::uint32_t MersenneTwister::next() {
  if (m_used == kSize) refill();
  std::uint32_t word = m_state[m_used++];
  word ^= word >> 11;
  word ^= (word << 7) & 0x9D2C5680u;
  word ^= (word << 15) & 0xEFC60000u;
  return word ^ (word >> 18);
}

}  // namespace plastiscope
