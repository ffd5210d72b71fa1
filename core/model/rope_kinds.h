#pragma once
// List of RoPE kinds with their required and optional settings, and list of settings. Names are those of
// Hugging Face's `rope_parameters`; meanings follow transformers 5.23.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/model/model_spec.h"

namespace plastiscope {

struct RopeKind {
  std::string_view name;
  std::vector<std::string_view> aliases;
  std::vector<double> (*frequencies)(const RopeSpec&, std::int64_t tokens);  // as ropePairFrequencies
  std::vector<std::string_view> needs;                                       // required settings
  std::vector<std::string_view> may;                                         // optional settings
  // Checks beyond single values, e.g. lengths of lists; returns a complaint or "".
  std::string (*check)(const RopeSpec&) = nullptr;
};

// Member and range of a setting.
struct RopeSetting {
  std::string_view name;
  std::variant<double RopeSpec::*, std::int64_t RopeSpec::*, bool RopeSpec::*,
               std::optional<double> RopeSpec::*, std::vector<double> RopeSpec::*,
               std::vector<float> RopeSpec::*>
      member;
  double least = 0, most = 0;  // inclusive
};

const std::vector<RopeKind>& ropeKinds();
// Settings specific to kinds (without rope_theta and the rotated part).
const std::vector<RopeSetting>& ropeSettings();
const RopeSetting* findRopeSetting(std::string_view name);  // nullptr when unknown

// ---- RoPE frequencies in float64, for comparison with captured rows. The forward pass computes its own in
// float32, operation by operation as the reference implementations do (core/forward).

// Number of rotated pairs for kind "proportional".
std::int64_t rotatedPairs(const RopeSpec& rope);

// Frequency of each pair in rad/token, rotaryDim / 2 of them. `tokens`: length of the examples, used by
// dynamic and longrope. Empty for an unknown kind.
std::vector<double> ropePairFrequencies(const RopeSpec& rope, std::int64_t tokens);

}  // namespace plastiscope
