#include "core/model/rope_kinds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/json.h"

namespace plastiscope {

namespace {

constexpr double kTiny = 1e-9;
constexpr double kMaxFactor = 1e6;
constexpr double kMaxContext = 1e12;
constexpr double kMaxDivisor = 1e31;  // 1e30 marks a pair that is not rotated

std::string checkLlama3(const RopeSpec& rope) {
  return rope.highFreqFactor > rope.lowFreqFactor ? ""
                                                  : "high_freq_factor must be larger than low_freq_factor";
}

std::string checkDynamic(const RopeSpec& rope) {
  return rope.rotaryDim > 2 && rope.maxPositions > 0
             ? ""
             : "it needs more than two rotated dimensions and a context";
}

std::string checkYarn(const RopeSpec& rope) {
  if (rope.betaFast <= rope.betaSlow) return "beta_fast must be larger than beta_slow";
  return rope.theta > 1 ? "" : "rope_theta must be larger than 1";
}

std::string checkLongrope(const RopeSpec& rope) {
  const auto pairs = static_cast<std::size_t>(rope.rotaryDim / 2);
  if (rope.shortFactor.size() != pairs || rope.longFactor.size() != pairs) {
    return "short_factor and long_factor must have " + std::to_string(pairs) + " numbers, they have " +
           std::to_string(rope.shortFactor.size()) + " and " + std::to_string(rope.longFactor.size());
  }
  return rope.originalContext > 1 ? "" : "original_max_position_embeddings must be larger than 1";
}

// Adds a value of a RopeSpec to JSON if it is set.
void put(Json& json, std::string_view name, const std::optional<double>& value) {
  if (value) json[std::string(name)] = *value;
}
void put(Json& json, std::string_view name, const std::vector<float>& value) {
  if (!value.empty()) json[std::string(name)] = value;
}
template <typename Value>
void put(Json& json, std::string_view name, const Value& value) {
  json[std::string(name)] = value;
}

// ---- Frequencies of each kind; `tokens`: length of the examples.

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

// The dimension (fractional) that makes `rotations` rotations within the original context.
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

// The first pairs rotate with the frequencies of the whole head, the others not at all.
Frequencies proportionalRope(const RopeSpec& rope, std::int64_t) {
  Frequencies list = powersOf(rope.theta, rope);
  for (double& frequency : list) frequency /= rope.factor;
  std::fill(list.begin() + rotatedPairs(rope), list.end(), 0.0);
  return list;
}

const RopeKind* findKindOf(const RopeSpec& rope) {
  const auto found = std::ranges::find(ropeKinds(), rope.kind, &RopeKind::name);
  return found == ropeKinds().end() ? nullptr : &*found;
}

}  // namespace

const std::vector<RopeKind>& ropeKinds() {
  static const std::vector<RopeKind> kKinds = {
      // name, aliases, frequencies, needs, may have, check
      {"default", {}, plainRope, {}, {"frequency_factors"}},
      {"linear", {}, linearRope, {"factor"}, {"frequency_factors"}},
      {"dynamic", {}, dynamicRope, {"factor"}, {}, checkDynamic},
      {"llama3",
       {},
       llama3Rope,
       {"factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"},
       {},
       checkLlama3},
      {"yarn",
       {},
       yarnRope,
       {"factor", "original_max_position_embeddings"},
       {"beta_fast", "beta_slow", "truncate", "attention_factor", "mscale", "mscale_all_dim"},
       checkYarn},
      {"longrope",
       {"su"},
       longRope,
       {"short_factor", "long_factor", "original_max_position_embeddings"},
       {"factor", "attention_factor"},
       checkLongrope},
      {"proportional", {}, proportionalRope, {}, {"factor", "partial_rotary_factor"}},
  };
  return kKinds;
}

const std::vector<RopeSetting>& ropeSettings() {
  static const std::vector<RopeSetting> kSettings = {
      {"factor", &RopeSpec::factor, kTiny, kMaxFactor},
      {"original_max_position_embeddings", &RopeSpec::originalContext, 1, kMaxContext},
      {"low_freq_factor", &RopeSpec::lowFreqFactor, kTiny, kMaxFactor},
      {"high_freq_factor", &RopeSpec::highFreqFactor, kTiny, kMaxFactor},
      {"beta_fast", &RopeSpec::betaFast, kTiny, kMaxFactor},
      {"beta_slow", &RopeSpec::betaSlow, kTiny, kMaxFactor},
      {"truncate", &RopeSpec::truncate},
      {"attention_factor", &RopeSpec::attentionFactor, kTiny, kMaxFactor},
      {"mscale", &RopeSpec::mscale, 0, kMaxFactor},
      {"mscale_all_dim", &RopeSpec::mscaleAllDim, 0, kMaxFactor},
      {"short_factor", &RopeSpec::shortFactor, kTiny, kMaxFactor},
      {"long_factor", &RopeSpec::longFactor, kTiny, kMaxFactor},
      {"frequency_factors", &RopeSpec::frequencyFactors, kTiny, kMaxDivisor},
      {"partial_rotary_factor", &RopeSpec::rotatedShare, kTiny, 1},
  };
  return kSettings;
}

const RopeSetting* findRopeSetting(std::string_view name) {
  const auto found = std::ranges::find(ropeSettings(), name, &RopeSetting::name);
  return found == ropeSettings().end() ? nullptr : &*found;
}

Json RopeSpec::toJson() const {
  Json json = {{"rope_type", kind}, {"rope_theta", theta}, {"rotary_dim", rotaryDim}};
  if (interleaved) json["interleaved"] = true;
  if (first > 0) json["first_rotated"] = first;
  if (maxPositions > 0) json["max_position_embeddings"] = maxPositions;
  const RopeKind* entry = findKindOf(*this);
  if (entry == nullptr) return json;
  std::vector<std::string_view> names = entry->needs;
  names.insert(names.end(), entry->may.begin(), entry->may.end());
  for (const auto name : names) {
    std::visit([&](auto member) { put(json, name, this->*member); }, findRopeSetting(name)->member);
  }
  return json;
}

std::int64_t rotatedPairs(const RopeSpec& rope) {
  return static_cast<std::int64_t>(rope.rotatedShare * static_cast<double>(rope.rotaryDim)) / 2;
}

std::vector<double> ropePairFrequencies(const RopeSpec& rope, std::int64_t tokens) {
  const RopeKind* kind = findKindOf(rope);
  if (kind == nullptr) return {};
  Frequencies list = kind->frequencies(rope, tokens);
  for (std::size_t i = 0; i < std::min(list.size(), rope.frequencyFactors.size()); ++i)
    list[i] /= static_cast<double>(rope.frequencyFactors[i]);
  return list;
}

}  // namespace plastiscope
