#pragma once
// The list of rotary position embedding kinds: which settings each needs and may have.
// Setting names are those of Hugging Face's `rope_parameters`; their meaning follows transformers 5.23.
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/model/model_spec.h"

namespace plastiscope {

struct RopeKind {
  std::string_view name;
  std::vector<std::string_view> aliases;
  std::vector<std::string_view> needs;  // settings that must be there
  std::vector<std::string_view> may;    // settings with a default
  // What goes beyond single values, e.g. lengths of lists; returns the complaint, "" when all is well.
  std::string (*check)(const RopeSpec&) = nullptr;
};

const std::vector<RopeKind>& ropeKinds();

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

// Normal form of a dictionary: `type` becomes `rope_type` (InputError when both stand there and differ), null
// values go.
Json normalRopeSettings(const Json& dictionary, const std::filesystem::path& file);

// `override` laid over `settings`, both in normal form; a new rope_type drops what only described the old
// one.
Json overriddenRopeSettings(const Json& settings, const Json& override);

}  // namespace plastiscope
