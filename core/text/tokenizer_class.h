#pragma once
// Tokenizers whose parts are in several files (tokenizer_config.json, special_tokens_map.json,
// added_tokens.json beside a vocabulary), assembled like the tokenizer classes of transformers 5.
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/checked_json.h"
#include "core/text/pipeline_tokenizer.h"
#include "core/text/sentence_piece.h"

namespace plastiscope {

// The files beside a vocabulary; null if missing.
struct TokenizerFolder {
  explicit TokenizerFolder(const std::filesystem::path& folder);
  bool any() const;  // whether one of them is there
  CheckedJson config, special, added, model;
};

using NamedTokens = std::map<std::string, std::string>;  // "bos_token" -> "<s>"
using IdOfText = std::function<std::optional<std::int32_t>(const std::string& text)>;
constexpr const char* kNamedTokens[] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                        "pad_token", "cls_token", "mask_token"};

// Adds the tokens of the files to `parts` and increases vocabularySize; `named` and `extra` are defaults.
// Returns the named tokens in use. InputError: an id that transformers would not assign.
NamedTokens addTokensBeside(const TokenizerFolder& folder, NamedTokens named, std::vector<AddedToken> extra,
                            const IdOfText& idOf, TokenizerParts& parts);

// Replaces normalizers and splits read from tokenizer.json by those of a class that transformers 5 rebuilds
// from the vocabulary and merges alone. Returns the special tokens that the class defines.
NamedTokens useClassOf(const TokenizerFolder& folder, bool byteLevel, TokenizerParts& parts);

// `ownTokens`: tokens named in the model file. InputError: an unknown class.
std::shared_ptr<const Tokenizer> openSentencePieceClass(const TokenizerFolder& folder,
                                                        SentencePieceModel model, bool unigram,
                                                        NamedTokens ownTokens);

}  // namespace plastiscope
