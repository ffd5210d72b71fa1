#pragma once
// Losses of a capture's tokens as means: over all, by position, and of passages that stood in their text
// before against where they stood first.
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

struct LossMean {
  std::int64_t tokens = 0;
  double sum = 0;
  double nll() const { return tokens > 0 ? sum / static_cast<double>(tokens) : kMissing; }  // nats a token
};

struct LossSummary {
  std::int64_t window = 0;
  LossMean all;
  std::vector<LossMean> positions;  // twentieths of the window
  // Tokens that end a passage seen before, and the same tokens where the passage stood first.
  LossMean repeated, first;

  explicit LossSummary(std::int64_t tokensOfWindow);
  // Of one text: losses, NaN where there is none, and the place of a passage's first end, -1 without.
  void add(std::span<const float> nll, std::span<const std::int32_t> firstPlace);
  // The positions [from, to) of a twentieth.
  std::int64_t from(std::size_t part) const;
  std::int64_t to(std::size_t part) const { return from(part + 1); }
};

// Calls with every part: its name in tables, its first position, the one behind it, and its mean.
template <typename Visit>
void forParts(const LossSummary& losses, const Visit& visit) {
  visit("all", std::int64_t{0}, losses.window, losses.all);
  for (std::size_t part = 0; part < losses.positions.size(); ++part)
    visit("position", losses.from(part), losses.to(part), losses.positions[part]);
  visit("repeated", std::int64_t{0}, losses.window, losses.repeated);
  visit("first_occurrence", std::int64_t{0}, losses.window, losses.first);
}

}  // namespace plastiscope
