#pragma once
// Reads RoPE settings from a dictionary of names and values (config.json, translated GGUF metadata, an
// override). Setting names are those of Hugging Face's `rope_parameters`; their meaning follows
// transformers 5.23.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// What refusals end with, and how the place begins in those of an override.
inline constexpr const char* kRopeWayOut = "; --rope-override sets other values";
inline constexpr const char* kRopeOverridePlace = "RoPE override over ";

// What the settings are read for.
struct RopeContext {
  std::filesystem::path file;  // for messages
  std::int64_t headDim = 0;
  std::int64_t maxPositions = 0;
  std::int64_t rotaryDim = 0;          // where the file gives it directly; 0: from partial_rotary_factor
  std::vector<std::string> extraKeys;  // settings that the architecture reads itself
};

// Settings of one dictionary in normal form (rope_type, rope_theta, ...) checked and read. Left-out values:
// rope_theta 10000, original_max_position_embeddings = max_position_embeddings, longrope's and yarn's factor
// = their ratio. InputError: unknown kind (with the known ones), unknown setting, missing, mistyped or out of
// range value.
RopeSpec readRope(const Json& settings, const RopeContext& context);

// Whether the settings stand by layer type, e.g. {"full_attention": {...}, "sliding_attention": {...}}.
bool isByLayerType(const Json& settings);

// Normal form of a dictionary: `type` becomes `rope_type` unless that stands there, null values go.
Json normalRopeSettings(const Json& dictionary, const std::filesystem::path& file);

// The same of a dictionary of config.json, with only what its kind reads (all of it where the kind is not
// known), and the nulls that transformers does not read as left out.
Json usedRopeSettings(const Json& dictionary, const std::vector<std::string>& extraKeys);

// `override` (an object) laid over `settings` in normal form: null takes a setting away, a new rope_type
// drops what described the old kind. `place` is for messages.
Json overriddenRopeSettings(const Json& settings, const Json& override, const std::filesystem::path& place);

}  // namespace plastiscope
