#pragma once
// tokenizer.json of the `tokenizers` library: byte-level BPE, BPE of characters, Unigram.
#include <filesystem>
#include <memory>

#include "core/text/tokenizer.h"

namespace plastiscope {

// InputError: damaged, or a model, normaliser, pre-tokenizer or post-processor that is not known (named, with
// the known ones). A tokenizer_config.json beside it is only asked whether it agrees about the BOS token.
std::shared_ptr<const Tokenizer> openTokenizerJson(const std::filesystem::path& file);

}  // namespace plastiscope
