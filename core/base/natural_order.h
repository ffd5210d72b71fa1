#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace plastiscope {

// Digits inside names compare as numbers: "step-40000" before "step-1200000".
bool naturallyBefore(const std::string& a, const std::string& b);

// At most `most` (two or more) of a list, evenly spaced, with the first and the last.
template <typename T>
std::vector<T> evenlySpaced(const std::vector<T>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<T> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return some;
}

}  // namespace plastiscope
