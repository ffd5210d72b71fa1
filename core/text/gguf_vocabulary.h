#pragma once
// The vocabulary that a GGUF file carries (tokenizer.ggml.*), of the kinds that tokenizer.ggml.model names:
// "gpt2" is byte-level BPE, "llama" is SentencePiece's BPE, of Gemma models too.
#include <filesystem>
#include <memory>

#include "core/text/tokenizer.h"

namespace plastiscope {

// gpt2: the rule that tokenizer.ggml.pre names is used; a file without one is refused, because every guess
// would give wrong tokens for some model. Control and user-defined tokens are found in the text.
// llama: tokens are those of the SentencePiece library for the same pieces and scores; control tokens are
// found in the text, and what stands between two of them is encoded as a text of its own. No offsets are
// trimmed.
std::shared_ptr<const Tokenizer> openGgufVocabulary(const std::filesystem::path& file);

}  // namespace plastiscope
