#pragma once
// The vocabulary that a GGUF file carries (tokenizer.ggml.*): byte-level BPE, which it calls "gpt2".
#include <filesystem>
#include <memory>

#include "core/text/tokenizer.h"

namespace plastiscope {

// The rule that tokenizer.ggml.pre names is used; a file without one is refused, because every guess would
// give wrong tokens for some model. Control and user-defined tokens are found in the text. No offsets are
// trimmed.
std::shared_ptr<const Tokenizer> openGgufVocabulary(const std::filesystem::path& file);

}  // namespace plastiscope
