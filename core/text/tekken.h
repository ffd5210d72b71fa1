#pragma once
// tekken.json: byte-level BPE of Mistral's models, without merges: the tokens' ranks decide.
#include <filesystem>
#include <memory>

#include "core/text/tokenizer.h"

namespace plastiscope {

// Tokens are those of mistral_common: special tokens have the first ids and are not found in a text; BOS is
// added. InputError: damaged, or a pattern that is not known (named, with the known ones).
std::shared_ptr<const Tokenizer> openTekken(const std::filesystem::path& file);

}  // namespace plastiscope
