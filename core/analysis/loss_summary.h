#pragma once
// Mean token losses of a capture: over all, by position, and at the end of repeated passages compared with
// their first occurrence.
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

struct LossMean {
  std::int64_t tokens = 0;
  double sum = 0;
  double nll() const { return tokens > 0 ? sum / static_cast<double>(tokens) : kMissing; }  // nats per token
};

struct LossSummary {
  std::int64_t window = 0;
  LossMean all;
  std::vector<LossMean> positions;  // twentieths of the window
  // Tokens that end a repeated passage, and the tokens that end its first occurrence.
  LossMean repeated, first;

  explicit LossSummary(std::int64_t tokensOfWindow);
  // Adds one text: losses, NaN if there is none, and the end of a passage's first occurrence, -1 without.
  void add(std::span<const float> nll, std::span<const std::int32_t> firstPlace);
  void add(const LossSummary& other);  // of other texts
  // The positions [from, to) of a twentieth of the window.
  std::int64_t from(std::size_t part) const;
  std::int64_t to(std::size_t part) const { return from(part + 1); }
};

// Calls `visit` with every part: its name in tables, first position, end position and mean.
template <typename Visit>
void forParts(const LossSummary& losses, const Visit& visit) {
  visit("all", std::int64_t{0}, losses.window, losses.all);
  for (std::size_t part = 0; part < losses.positions.size(); ++part)
    visit("position", losses.from(part), losses.to(part), losses.positions[part]);
  visit("repeated", std::int64_t{0}, losses.window, losses.repeated);
  visit("first_occurrence", std::int64_t{0}, losses.window, losses.first);
}

}  // namespace plastiscope
