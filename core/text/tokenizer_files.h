#pragma once
// The kinds of files that hold a tokenizer.
#include <filesystem>
#include <memory>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/text/tokenizer.h"

namespace plastiscope {

// ---- tokenizer.json of the `tokenizers` library: byte-level BPE, BPE of characters, Unigram.

// InputError: damaged, or a model, normaliser, pre-tokenizer or post-processor that is not known (named, with
// the known ones). A tokenizer_config.json beside it is only asked whether it agrees about the BOS token.
std::shared_ptr<const Tokenizer> openTokenizerJson(const std::filesystem::path& file);

// ---- tokenizer.model: a SentencePiece model (protobuf), BPE or Unigram.

// Tokens and offsets are those of the SentencePiece library, which finds no control tokens in a text. It adds
// none either; here BOS is added when the model has one, as the models that ship such a file expect. In a
// model folder (config.json, tokenizer_config.json, special_tokens_map.json or added_tokens.json beside it)
// tokens are those of the class of transformers that the folder names.
// InputError: damaged, or a model type that is not known.
std::shared_ptr<const Tokenizer> openTokenizerModel(const std::filesystem::path& file);

// ---- vocab.json with merges.txt beside it: byte-level BPE of the class that the folder names.

std::shared_ptr<const Tokenizer> openVocabularyAndMerges(const std::filesystem::path& file);

// ---- tekken.json: byte-level BPE of Mistral's models, without merges: the tokens' ranks decide.

// Tokens are those of mistral_common: special tokens have the first ids and are not found in a text; BOS is
// added. InputError: damaged, or a pattern that is not known (named, with the known ones).
std::shared_ptr<const Tokenizer> openTekken(const std::filesystem::path& file);

struct UnknownVocabulary : InputError {
  using InputError::InputError;
};

// ---- The vocabulary that a GGUF file carries (tokenizer.ggml.*), of the kinds that tokenizer.ggml.model
// names: "gpt2" is byte-level BPE, "llama" is SentencePiece's BPE, of Gemma models up to 3 too, "gemma4" is
// BPE of characters.

// gpt2: the rule that tokenizer.ggml.pre names is used; a file without one is refused, because every guess
// would give wrong tokens for some model. Control and user-defined tokens are found in the text.
// llama: tokens are those of the SentencePiece library for the same pieces and scores; control tokens are
// found in the text, and what stands between two of them is encoded as a text of its own. No offsets are
// trimmed.
// UnknownVocabulary: a kind or rule that is not known, or none.
std::shared_ptr<const Tokenizer> openGgufVocabulary(const std::filesystem::path& file);

// ---- What JSON files of tokens have in common.

std::int32_t tokenId(const CheckedJson& value);  // InputError
bool isTokenId(const Json& value);

}  // namespace plastiscope
