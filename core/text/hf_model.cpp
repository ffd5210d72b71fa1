#include "core/text/hf_parts.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/text/bpe.h"
#include "core/text/unigram.h"

namespace plastiscope {

void requireAtMost(const CheckedJson& node, std::size_t most) {
  if (node.json().size() > most) {
    node.refuse("at most " + withCommas(static_cast<long long>(most)) + " entries",
                withCommas(static_cast<long long>(node.json().size())));
  }
}

TokenTexts readTokenTexts(const CheckedJson& node) {
  if (!node.json().is_object()) node.refuse("an object of tokens and ids");
  requireAtMost(node, plastiscope::kMaxTokens);
  TokenTexts tokens;
  tokens.reserve(node.json().size());
  for (const auto& [text, id] : node.json().items()) {
    tokens.emplace_back(text, tokenId(node.inside(id, "vocabulary entry \"" + text + "\"")));
  }
  return tokens;
}

namespace {

// "a b", or ["a", "b"] in newer files.
std::pair<std::string, std::string> readMerge(const CheckedJson& node) {
  if (node.json().is_array()) {
    const auto parts = node.items();
    if (parts.size() != 2) node.refuse("two tokens");
    return {parts[0].asText(), parts[1].asText()};
  }
  const std::string text = node.asText();
  const auto space = text.find(' ');
  if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos) {
    node.refuse("two tokens with one space between them");
  }
  return {text.substr(0, space), text.substr(space + 1)};
}

MergeTexts readMerges(const CheckedJson& model) {
  const CheckedJson node = model.child("merges");
  requireAtMost(node, kMaxMerges);
  MergeTexts merges;
  for (const CheckedJson& merge : node.items()) merges.push_back(readMerge(merge));
  return merges;
}

void refuseIfSet(const CheckedJson& model, const std::string& key) {
  if (!model.has(key)) return;
  const Json& value = *model.find(key);
  const bool neutral = value == "" || value == false || (value.is_number() && value == 0);
  if (!neutral) model.child(key).refuse("none");
}

BytePairVocabulary readPairs(const CheckedJson& model) {
  BytePairVocabulary vocabulary;
  vocabulary.file = model.file();
  vocabulary.tokens = readTokenTexts(model.child("vocab"));
  vocabulary.merges = readMerges(model);
  vocabulary.ignoreMerges = model.flagOr("ignore_merges", false);
  vocabulary.fuseUnknown = model.flagOr("fuse_unk", false);
  const std::string unknown = model.textOr("unk_token", "");
  const auto entry =
      std::ranges::find(vocabulary.tokens, unknown, &std::pair<std::string, std::int32_t>::first);
  if (!unknown.empty() && entry != vocabulary.tokens.end()) vocabulary.unknown = entry->second;
  return vocabulary;
}

std::shared_ptr<const PieceModel> readBpe(const CheckedJson& model, bool byteLevel) {
  for (const char* key : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"})
    refuseIfSet(model, key);
  if (byteLevel) {
    refuseIfSet(model, "byte_fallback");
    return std::make_shared<BytePair>(readPairs(model));
  }
  BytePairVocabulary vocabulary = readPairs(model);
  vocabulary.byteFallback = model.flagOr("byte_fallback", false);
  return std::make_shared<CharPair>(vocabulary);
}

UnigramToken readScored(const CheckedJson& node) {
  const auto parts = node.items();
  if (parts.size() != 2) node.refuse("a token and its score");
  const Json& score = parts[1].json();
  if (!score.is_number() || !std::isfinite(score.get<double>())) parts[1].refuse("a score");
  return {parts[0].asText(), score.get<double>()};
}

std::shared_ptr<const PieceModel> readUnigram(const CheckedJson& model, bool byteLevel) {
  if (byteLevel) model.refuse("a pre_tokenizer other than ByteLevel", "ByteLevel");
  UnigramVocabulary vocabulary;
  vocabulary.file = model.file();
  vocabulary.byteFallback = model.flagOr("byte_fallback", false);
  const CheckedJson list = model.child("vocab");
  requireAtMost(list, kMaxTokens);
  for (const CheckedJson& node : list.items()) vocabulary.tokens.push_back(readScored(node));
  vocabulary.unknown = tokenId(model.child("unk_id"));
  if (static_cast<std::size_t>(vocabulary.unknown) >= vocabulary.tokens.size()) {
    model.child("unk_id").refuse("less than " + withCommas(static_cast<long long>(vocabulary.tokens.size())),
                                 withCommas(vocabulary.unknown));
  }
  return makeUnigram(std::move(vocabulary));
}

struct ModelKind {
  std::string_view name;  // `type`
  std::shared_ptr<const PieceModel> (*read)(const CheckedJson& model, bool byteLevel);
};

constexpr ModelKind kHfModelKinds[] = {
    {"BPE", readBpe},
    {"Unigram", readUnigram},
};

}  // namespace

std::shared_ptr<const PieceModel> readModel(const CheckedJson& model, bool byteLevel) {
  // Older files have no type.
  const std::string type = model.textOr("type", model.has("merges") ? "BPE" : "none");
  for (const ModelKind& kind : kHfModelKinds) {
    if (kind.name == type) return kind.read(model, byteLevel);
  }
  model.refuseUnknown(type, kHfModelKinds);
}

}  // namespace plastiscope
