#pragma once
// The list of rotary position embedding kinds, which settings each needs and may have, and the list of
// settings. Setting names are those of Hugging Face's `rope_parameters`; their meaning follows
// transformers 5.23.
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
  std::vector<std::string_view> needs;                                       // settings that must be there
  std::vector<std::string_view> may;                                         // settings with a default
  // What goes beyond single values, e.g. lengths of lists; returns the complaint, "" when all is well.
  std::string (*check)(const RopeSpec&) = nullptr;
};

// Where a setting is kept and which values it may have.
struct RopeSetting {
  std::string_view name;
  std::variant<double RopeSpec::*, std::int64_t RopeSpec::*, bool RopeSpec::*,
               std::optional<double> RopeSpec::*, std::vector<double> RopeSpec::*,
               std::vector<float> RopeSpec::*>
      member;
  double least = 0, most = 0;  // the least value itself is allowed
};

const std::vector<RopeKind>& ropeKinds();
// Settings that belong to kinds (not the base and the rotated part, which all have).
const std::vector<RopeSetting>& ropeSettings();
const RopeSetting* findRopeSetting(std::string_view name);  // nullptr when there is none

// ---- The frequencies of rotary position embedding in float64, for comparing them with what vectors do. The
// forward pass forms its own in float32, operation by operation as the published models do (core/forward).

// Pairs that turn in kind "proportional".
std::int64_t turningPairs(const RopeSpec& rope);

// rad / token of each pair, rotaryDim / 2 of them; `tokens`: length of the examples, which dynamic and
// longrope depend on. Empty for a kind that is not known.
std::vector<double> ropePairFrequencies(const RopeSpec& rope, std::int64_t tokens);

}  // namespace plastiscope
