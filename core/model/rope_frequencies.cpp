#include "core/model/rope_frequencies.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

namespace plastiscope {

namespace {

using Frequencies = std::vector<double>;

double originalContext(const RopeSpec& rope) {
  return static_cast<double>(rope.originalContext > 0 ? rope.originalContext : rope.maxPositions);
}

Frequencies powersOf(double theta, const RopeSpec& rope) {
  Frequencies list;
  for (std::int64_t i = 0; i < rope.rotaryDim; i += 2)
    list.push_back(std::pow(theta, -static_cast<double>(i) / static_cast<double>(rope.rotaryDim)));
  return list;
}

Frequencies plainRope(const RopeSpec& rope, std::int64_t) {
  return powersOf(rope.theta, rope);
}

Frequencies linearRope(const RopeSpec& rope, std::int64_t) {
  Frequencies list = powersOf(rope.theta, rope);
  for (double& frequency : list) frequency /= rope.factor;
  return list;
}

Frequencies dynamicRope(const RopeSpec& rope, std::int64_t tokens) {
  if (tokens <= rope.maxPositions || rope.rotaryDim <= 2) return plainRope(rope, tokens);
  const auto dim = static_cast<double>(rope.rotaryDim);
  const double length = static_cast<double>(tokens) / static_cast<double>(rope.maxPositions);
  const double stretch = rope.factor * length - (rope.factor - 1);
  return powersOf(rope.theta * std::pow(stretch, dim / (dim - 2)), rope);
}

Frequencies llama3Rope(const RopeSpec& rope, std::int64_t) {
  const double context = originalContext(rope);
  Frequencies list = powersOf(rope.theta, rope);
  for (double& frequency : list) {
    const double turns = context * frequency / (2 * std::numbers::pi);
    const double keep =
        std::clamp((turns - rope.lowFreqFactor) / (rope.highFreqFactor - rope.lowFreqFactor), 0.0, 1.0);
    frequency *= keep + (1 - keep) / rope.factor;
  }
  return list;
}

// The dimension (as a real number) that turns `rotations` times within the original context.
double yarnDimension(const RopeSpec& rope, double rotations) {
  return static_cast<double>(rope.rotaryDim) *
         std::log(originalContext(rope) / (rotations * 2 * std::numbers::pi)) / (2 * std::log(rope.theta));
}

Frequencies yarnRope(const RopeSpec& rope, std::int64_t) {
  double low = yarnDimension(rope, rope.betaFast), high = yarnDimension(rope, rope.betaSlow);
  if (rope.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, static_cast<double>(rope.rotaryDim - 1));
  if (low == high) high += 0.001;
  Frequencies list = powersOf(rope.theta, rope);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const double slow = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
    list[i] *= slow / rope.factor + 1 - slow;
  }
  return list;
}

Frequencies longRope(const RopeSpec& rope, std::int64_t tokens) {
  const bool isLong = static_cast<double>(tokens) > originalContext(rope);
  const std::vector<double>& factors = isLong ? rope.longFactor : rope.shortFactor;
  Frequencies list = powersOf(rope.theta, rope);
  for (std::size_t i = 0; i < std::min(list.size(), factors.size()); ++i) list[i] /= factors[i];
  return list;
}

struct Kind {
  std::string_view name;
  Frequencies (*compute)(const RopeSpec&, std::int64_t);
};
constexpr Kind kKinds[] = {{"default", plainRope}, {"linear", linearRope}, {"dynamic", dynamicRope},
                           {"llama3", llama3Rope}, {"yarn", yarnRope},     {"longrope", longRope}};

}  // namespace

std::vector<double> ropePairFrequencies(const RopeSpec& rope, std::int64_t tokens) {
  for (const Kind& kind : kKinds) {
    if (kind.name != rope.kind) continue;
    Frequencies list = kind.compute(rope, tokens);
    for (std::size_t i = 0; i < std::min(list.size(), rope.frequencyFactors.size()); ++i)
      list[i] /= static_cast<double>(rope.frequencyFactors[i]);
    return list;
  }
  return {};
}

}  // namespace plastiscope
