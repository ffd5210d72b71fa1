#pragma once
// Tokenizers that are spread over several files (tokenizer_config.json, special_tokens_map.json,
// added_tokens.json beside a vocabulary), as the classes of transformers 5 put them together.
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

// The files beside a vocabulary; null where there is none.
struct TokenizerFolder {
  explicit TokenizerFolder(const std::filesystem::path& folder);
  bool any() const {
    return config.json().is_object() || special.json().is_object() || added.json().is_object() ||
           model.json().is_object();
  }
  CheckedJson config, special, added, model;
};

using NamedTokens = std::map<std::string, std::string>;  // "bos_token" -> "<s>"
using IdOfText = std::function<std::optional<std::int32_t>(const std::string& text)>;
constexpr const char* kNamedTokens[] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                        "pad_token", "cls_token", "mask_token"};

// Adds the tokens of the files, and `named` and `extra` where the files have no others, to those of `parts`,
// whose vocabularySize grows. Returns the named tokens in use. InputError: an id that transformers would not
// give.
NamedTokens addTokensBeside(const TokenizerFolder& folder, NamedTokens named, std::vector<AddedToken> extra,
                            const IdOfText& idOf, TokenizerParts& parts);

// Some classes are made anew from the vocabulary and merges of tokenizer.json: its other steps do not count then,
// those of the class replace them. Returns the tokens that the class names.
NamedTokens useClassOf(const TokenizerFolder& folder, bool byteLevel, TokenizerParts& parts);

// `ownTokens`: those that the model file names. InputError: a class that is not known.
std::shared_ptr<const Tokenizer> openSentencePieceClass(const TokenizerFolder& folder,
                                                        SentencePieceModel model, bool unigram,
                                                        NamedTokens ownTokens);

}  // namespace plastiscope
