#pragma once
// Supported tokenizer file formats.
#include <filesystem>
#include <memory>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/text/tokenizer.h"

namespace plastiscope {

// ---- tokenizer.json of the `tokenizers` library: byte-level BPE, BPE of characters, Unigram.

// InputError: damaged, or an unknown model, normaliser, pre-tokenizer or post-processor (the message lists
// the known ones). A tokenizer_config.json beside it is only used to detect a conflict about BOS.
std::shared_ptr<const Tokenizer> openTokenizerJson(const std::filesystem::path& file);

// ---- tokenizer.model: a SentencePiece model (protobuf), BPE or Unigram.

// Tokens and offsets are those of the SentencePiece library, which matches no control tokens in a text. BOS
// is added when the model has one, as the models with such a file expect. In a model folder (config.json,
// tokenizer_config.json, special_tokens_map.json or added_tokens.json beside it) tokens are those of the
// transformers class that the folder names. InputError: damaged, or an unknown model type.
std::shared_ptr<const Tokenizer> openTokenizerModel(const std::filesystem::path& file);

// ---- vocab.json with merges.txt beside it: byte-level BPE of the transformers class that the folder names.

std::shared_ptr<const Tokenizer> openVocabularyAndMerges(const std::filesystem::path& file);

// ---- tekken.json: byte-level BPE of Mistral models, without merges: tokens merge by rank.

// Tokens are those of mistral_common: special tokens have the first ids and are not matched in a text; BOS is
// added. InputError: damaged, or an unknown pattern (the message lists the known ones).
std::shared_ptr<const Tokenizer> openTekken(const std::filesystem::path& file);

struct UnknownVocabulary : InputError {
  using InputError::InputError;
};

// ---- The vocabulary of a GGUF file (tokenizer.ggml.*), by tokenizer.ggml.model: "gpt2" is byte-level BPE,
// "llama" is SentencePiece BPE (Gemma up to 3 too), "gemma4" is BPE over characters.

// gpt2: uses the rule named by tokenizer.ggml.pre; a file without one is refused, since any default would
// give wrong tokens for some model. Control and user-defined tokens are matched in the text.
// llama: tokens are those of the SentencePiece library for the same pieces and scores; control tokens are
// matched in the text, and the text between two of them is encoded separately. No offsets are trimmed.
// UnknownVocabulary: an unknown kind or rule, or none.
std::shared_ptr<const Tokenizer> openGgufVocabulary(const std::filesystem::path& file);

// ---- Helpers for JSON files of tokens.

std::int32_t tokenId(const CheckedJson& value);  // InputError
bool isTokenId(const Json& value);

}  // namespace plastiscope
