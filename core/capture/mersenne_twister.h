#pragma once
// MT19937 (Matsumoto and Nishimura 1998) with both of its published seedings: init_genrand, which torch's CPU
// generator uses, and init_by_array, which Python's random.Random uses.
#include <array>
#include <cstdint>
#include <span>

namespace plastiscope {

class MersenneTwister {
 public:
  explicit MersenneTwister(std::uint32_t seed);                  // init_genrand
  explicit MersenneTwister(std::span<const std::uint32_t> key);  // init_by_array; key must not be empty
  std::uint32_t next();

 private:
  void refill();
  std::array<std::uint32_t, 624> m_state{};
  std::size_t m_used = 624;
};

}  // namespace plastiscope
