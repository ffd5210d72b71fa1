#pragma once
// Orders of lists for permutation tests, exhaustive or random.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/random.h"

namespace plastiscope {

// Generator of one random order; depends only on the arguments.
constexpr PairGenerator drawGenerator(std::uint64_t seed, std::uint64_t purpose, std::uint64_t draw) {
  return PairGenerator(combine(combine(combine(kSeedStart, mix64(seed)), mix64(purpose)), mix64(draw)));
}

// Uniform over all orders.
template <typename Item>
void shuffle(std::vector<Item>& list, PairGenerator& generator) {
  for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[generator.below(i)]);
}

using Orders = std::vector<std::vector<std::size_t>>;

// Number of distinct orders; equal values are not told apart.
inline double countOrders(const Orders& lists) {
  double count = 1;
  for (const std::vector<std::size_t>& list : lists) {
    for (std::size_t i = 0; i < list.size(); ++i)
      count *= static_cast<double>(i + 1) /
               static_cast<double>(std::count(list.begin(), list.begin() + i + 1, list[i]));
  }
  return std::round(count);
}

struct OrderDraws {
  std::uint64_t seed = 0, purpose = 0;
  int draws = 0;
  double all = 40320;  // enumerate up to this many orders (8!)
};

// Visits the orders of ascending lists: all of them if there are at most `all`, else the given one and
// `draws` random ones. Returns the share that `visit` accepts.
template <typename Visit>
double shareOfOrders(const Orders& ascending, const OrderDraws& draws, const Visit& visit) {
  Orders lists = ascending;
  std::int64_t accepted = visit(lists) ? 1 : 0, visited = 1;
  if (countOrders(ascending) <= draws.all) {
    // next_permutation leaves a list ascending again after its last order.
    while (std::any_of(lists.begin(), lists.end(),
                       [](auto& list) { return std::next_permutation(list.begin(), list.end()); })) {
      accepted += visit(lists) ? 1 : 0;
      ++visited;
    }
  } else {
    for (; visited <= draws.draws; ++visited) {
      PairGenerator generator =
          drawGenerator(draws.seed, draws.purpose, static_cast<std::uint64_t>(visited - 1));
      lists = ascending;
      for (auto& list : lists) shuffle(list, generator);
      accepted += visit(lists) ? 1 : 0;
    }
  }
  return static_cast<double>(accepted) / static_cast<double>(visited);
}

}  // namespace plastiscope
