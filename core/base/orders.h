#pragma once
// Orders of lists for permutation tests: one after the other, or drawn.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/random.h"

namespace plastiscope {

// The generator of one draw, which depends on nothing but these three.
constexpr PairGenerator drawGenerator(std::uint64_t seed, std::uint64_t purpose, std::uint64_t draw) {
  return PairGenerator(combine(combine(combine(kSeedStart, mix64(seed)), mix64(purpose)), mix64(draw)));
}

// Every order with the same probability.
template <typename Value>
void shuffle(std::vector<Value>& list, PairGenerator& generator) {
  for (std::size_t i = list.size(); i > 1; --i)
    std::swap(list[i - 1], list[static_cast<std::size_t>(generator.below(i))]);
}

// Steps through all combinations of orders of the lists, from each ascending; false after the last, when all
// are ascending again. Equal values count as one.
template <typename Value>
bool nextOrders(std::vector<std::vector<Value>>& lists) {
  return std::any_of(lists.begin(), lists.end(), [](std::vector<Value>& list) {
    return std::next_permutation(list.begin(), list.end());
  });
}

}  // namespace plastiscope
