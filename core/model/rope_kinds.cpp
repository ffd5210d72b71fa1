#include "core/model/rope_kinds.h"

#include <algorithm>

#include "core/base/json.h"

namespace plastiscope {

namespace {

constexpr double kTiny = 1e-9;
constexpr double kMaxFactor = 1e6;
constexpr double kMaxContext = 1e12;

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

// Values of a RopeSpec as JSON; what is not given stays out.
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

}  // namespace

const std::vector<RopeKind>& ropeKinds() {
  static const std::vector<RopeKind> kKinds = {
      // name, aliases, needs, may have, check
      {"default", {}, {}, {"frequency_factors"}},
      {"linear", {}, {"factor"}, {"frequency_factors"}},
      {"dynamic", {}, {"factor"}, {}, checkDynamic},
      {"llama3",
       {},
       {"factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"},
       {},
       checkLlama3},
      {"yarn",
       {},
       {"factor", "original_max_position_embeddings"},
       {"beta_fast", "beta_slow", "truncate", "attention_factor", "mscale", "mscale_all_dim"},
       checkYarn},
      {"longrope",
       {"su"},
       {"short_factor", "long_factor", "original_max_position_embeddings"},
       {"factor", "attention_factor"},
       checkLongrope},
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
      {"frequency_factors", &RopeSpec::frequencyFactors, kTiny, kMaxFactor},
  };
  return kSettings;
}

const RopeSetting* findRopeSetting(std::string_view name) {
  const auto& all = ropeSettings();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& setting) { return setting.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Json RopeSpec::toJson() const {
  Json json = {{"rope_type", kind}, {"rope_theta", theta}, {"rotary_dim", rotaryDim}};
  if (interleaved) json["interleaved"] = true;
  if (maxPositions > 0) json["max_position_embeddings"] = maxPositions;
  const auto& kinds = ropeKinds();
  const auto entry =
      std::find_if(kinds.begin(), kinds.end(), [&](const RopeKind& one) { return one.name == kind; });
  if (entry == kinds.end()) return json;
  std::vector<std::string_view> names = entry->needs;
  names.insert(names.end(), entry->may.begin(), entry->may.end());
  for (const auto name : names) {
    std::visit([&](auto member) { put(json, name, this->*member); }, findRopeSetting(name)->member);
  }
  return json;
}

}  // namespace plastiscope
