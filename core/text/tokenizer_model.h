#pragma once
// tokenizer.model: a SentencePiece model (protobuf), BPE or Unigram.
#include <filesystem>
#include <memory>

#include "core/text/tokenizer.h"

namespace plastiscope {

// Tokens and offsets are those of the SentencePiece library, which finds no control tokens in a text. It adds
// none either; here BOS is added when the model has one, as the models that ship such a file expect, unless
// tokenizer_config.json beside it says otherwise (add_bos_token, add_eos_token).
// InputError: damaged, or a model type that is not known.
std::shared_ptr<const Tokenizer> openTokenizerModel(const std::filesystem::path& file);

}  // namespace plastiscope
