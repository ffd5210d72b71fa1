#pragma once
// Bit-exact random numbers (method.md, Random numbers). The purpose of every draw is part of its seed.
#include <cstdint>

namespace plastiscope {

inline constexpr std::uint64_t kSeedStart = 0x243F6A8885A308D3u;

constexpr std::uint64_t mix64(std::uint64_t v) {
  v ^= v >> 30;
  v *= 0xBF58476D1CE4E5B9u;
  v ^= v >> 27;
  v *= 0x94D049BB133111EBu;
  v ^= v >> 31;
  return v;
}

constexpr std::uint64_t combine(std::uint64_t s, std::uint64_t v) {
  s ^= v;
  s *= 0x9E3779B97F4A7C15u;
  s ^= s >> 32;
  return s;
}

// The generator of method.md, Random numbers.
class PairGenerator {
 public:
  explicit constexpr PairGenerator(std::uint64_t state) : m_state(state) {}
  std::uint64_t next();
  // Uniform in [0, n), n >= 1, without bias.
  std::uint64_t below(std::uint64_t n);
  // Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t m_state;
};

inline std::uint64_t PairGenerator::next() {
  m_state += 0x9E3779B97F4A7C15u;
  return mix64(m_state);
}

inline std::uint64_t PairGenerator::below(std::uint64_t n) {
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
