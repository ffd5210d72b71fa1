#include "core/analysis/loss_summary.h"

#include <algorithm>
#include <cmath>

namespace plastiscope {

namespace {

constexpr std::size_t kParts = 20;

void addTo(LossMean& mean, float loss) {
  mean.sum += static_cast<double>(loss);
  ++mean.tokens;
}

}  // namespace

LossSummary::LossSummary(std::int64_t tokensOfWindow) : window(tokensOfWindow), positions(kParts) {}

// The first position at or after that share of the window.
std::int64_t LossSummary::from(std::size_t part) const {
  return (window * static_cast<std::int64_t>(part) + static_cast<std::int64_t>(kParts) - 1) /
         static_cast<std::int64_t>(kParts);
}

void LossSummary::add(std::span<const float> nll, std::span<const std::int32_t> firstPlace) {
  for (std::size_t t = 0; t < nll.size(); ++t) {
    if (!std::isfinite(nll[t])) continue;
    addTo(all, nll[t]);
    const auto part = static_cast<std::size_t>(
        static_cast<std::int64_t>(t) * static_cast<std::int64_t>(kParts) / std::max<std::int64_t>(1, window));
    addTo(positions[std::min(part, kParts - 1)], nll[t]);
    if (t >= firstPlace.size() || firstPlace[t] < 0) continue;
    addTo(repeated, nll[t]);
    addTo(first, nll[firstPlace[t]]);
  }
}

void LossSummary::add(const LossSummary& other) {
  const auto merge = [](LossMean& mean, const LossMean& more) {
    mean.sum += more.sum;
    mean.tokens += more.tokens;
  };
  merge(all, other.all);
  for (std::size_t part = 0; part < positions.size(); ++part) merge(positions[part], other.positions[part]);
  merge(repeated, other.repeated);
  merge(first, other.first);
}

}  // namespace plastiscope
