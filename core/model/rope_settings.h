#pragma once
// Reads RoPE settings from names and values (config.json, translated GGUF metadata, an override). Names are
// those of Hugging Face's `rope_parameters`; meanings follow transformers 5.23.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// End of error messages, and start of the place in those about an override.
inline constexpr const char* kRopeOverrideHint = "; --rope-override sets other values";
inline constexpr const char* kRopeOverridePlace = "RoPE override over ";

// Input besides the settings.
struct RopeContext {
  std::filesystem::path file;  // for messages
  std::int64_t headDim = 0;
  std::int64_t maxPositions = 0;
  std::int64_t rotaryDim = 0;          // from the file; 0: computed from partial_rotary_factor
  std::vector<std::string> extraKeys;  // settings that the architecture reads itself
};

// Checks and reads settings in normal form (rope_type, rope_theta, ...). Defaults: rope_theta 10000,
// original_max_position_embeddings = max_position_embeddings, factor of longrope and yarn = their ratio.
// InputError: unknown kind (lists the known ones), unknown setting, missing, mistyped or out of range value.
RopeSpec readRope(const Json& settings, const RopeContext& context);

// Whether settings are per layer type, e.g. {"full_attention": {...}, "sliding_attention": {...}}.
bool isByLayerType(const Json& settings);

// Normal form of a dictionary: renames `type` to `rope_type` if that is missing and drops nulls.
Json normalRopeSettings(const Json& dictionary, const std::filesystem::path& file);

// The same for config.json, reduced to the settings that its kind reads (all for an unknown kind), keeping
// the nulls that transformers does not treat as missing.
Json usedRopeSettings(const Json& dictionary, const std::vector<std::string>& extraKeys);

// Merges `override` (an object) into `settings` in normal form: null removes a setting, a new rope_type drops
// settings of the old kind. `place` is for messages.
Json overriddenRopeSettings(const Json& settings, const Json& override, const std::filesystem::path& place);

}  // namespace plastiscope
