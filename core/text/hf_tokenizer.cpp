#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/text/bpe.h"
#include "core/text/byte_spellings.h"
#include "core/text/hf_parts.h"
#include "core/text/normalizers.h"
#include "core/text/tokenizer_class.h"
#include "core/text/tokenizer_files.h"
#include "core/text/unigram.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMaxAdded = 100'000;
constexpr std::size_t kMaxJsonBytes = std::size_t{1} << 29;

std::vector<AddedToken> readAddedTokens(const CheckedJson& root) {
  std::vector<AddedToken> result;
  if (!root.has("added_tokens")) return result;
  requireAtMost(root.child("added_tokens"), kMaxAdded);
  for (const CheckedJson& node : root.child("added_tokens").items()) {
    result.push_back(readAddedToken(node, false));
    result.back().id = tokenId(node.child("id"));
  }
  return result;
}

// The vocabulary is an object with texts as keys, or a list of texts and scores.
std::int64_t countTokens(const CheckedJson& model, const std::vector<AddedToken>& added) {
  const CheckedJson node = model.child("vocab");
  const Json& vocabulary = node.json();
  std::set<std::string> beside;
  for (const AddedToken& token : added) beside.insert(token.text);
  if (vocabulary.is_object()) {
    std::erase_if(beside, [&](const std::string& text) { return vocabulary.contains(text); });
  } else {
    for (const Json& entry : vocabulary) beside.erase(entry.at(0).get<std::string>());
  }
  return static_cast<std::int64_t>(vocabulary.size() + beside.size());
}

// Describes a conflict between tokenizer_config.json and the template about the BOS token; the template is
// used.
std::string bosConflict(const std::filesystem::path& file, const std::vector<PostStep>& steps) {
  const auto configFile = file.parent_path() / "tokenizer_config.json";
  std::error_code code;
  if (!std::filesystem::is_regular_file(configFile, code)) return "";
  const CheckedJson root(readJsonFile(configFile, std::size_t{1} << 26), configFile);
  if (!root.has("add_bos_token")) return "";
  const bool claimed = root.flagOr("add_bos_token", false);
  const bool added = std::ranges::any_of(steps, [](const PostStep& step) {
    const auto* around = std::get_if<AddTemplate>(&step);
    return around != nullptr && !around->before.empty();
  });
  if (claimed == added) return "";
  return std::string("tokenizer_config.json has add_bos_token = ") + (claimed ? "true" : "false") +
         ", but the template of tokenizer.json is used";
}

}  // namespace

AddedToken readAddedToken(const CheckedJson& node, bool special) {
  AddedToken token;
  token.special = special;
  if (node.json().is_string()) {
    token.text = node.asText();
    return token;
  }
  token.text = node.text("content");
  token.special = node.flagOr("special", special);
  token.singleWord = node.flagOr("single_word", false);
  token.stripLeft = node.flagOr("lstrip", false);
  token.stripRight = node.flagOr("rstrip", false);
  token.normalized = node.flagOr("normalized", !token.special);
  return token;
}

std::shared_ptr<const Tokenizer> openTokenizerJson(const std::filesystem::path& file) {
  const CheckedJson root(readJsonFile(file, kMaxJsonBytes), file);
  const CheckedJson model = root.child("model");
  TokenizerParts parts;
  parts.file = file;
  parts.added = readAddedTokens(root);
  parts.normalizers = readNormalizers(root);
  PreTokenizer preTokenizer = readPreTokenizer(root);
  parts.splits = std::move(preTokenizer.steps);
  parts.model = readModel(model, preTokenizer.byteLevel);
  parts.postSteps = readPostProcessor(root, preTokenizer.byteLevel);
  parts.note = bosConflict(file, parts.postSteps);
  const Json& vocabulary = model.child("vocab").json();
  const TokenizerFolder folder(file.parent_path());
  NamedTokens named;
  if (model.textOr("type", "BPE") == "BPE") named = useClassOf(folder, preTokenizer.byteLevel, parts);
  parts.vocabularySize = countTokens(model, parts.added);
  addTokensBeside(
      folder, std::move(named), {},
      [&](const std::string& text) -> std::optional<std::int32_t> {
        if (vocabulary.is_object()) {
          const auto entry = vocabulary.find(text);
          if (entry == vocabulary.end()) return std::nullopt;
          return entry->get<std::int32_t>();
        }
        const auto entry =
            std::ranges::find_if(vocabulary, [&](const Json& each) { return each.at(0) == text; });
        if (entry == vocabulary.end()) return std::nullopt;
        return static_cast<std::int32_t>(entry - vocabulary.begin());
      },
      parts);
  return makePipelineTokenizer(std::move(parts));
}

namespace {

Normalizer readNormalForm(const CheckedJson& node) {
  return makeNormalForm(node.text("type"));
}

Normalizer readPrepend(const CheckedJson& node) {
  return makePrepend(node.text("prepend"));
}

Normalizer readReplace(const CheckedJson& node) {
  const CheckedJson pattern = node.child("pattern");
  const std::string content = node.text("content");
  if (pattern.has("String")) {
    if (pattern.text("String").empty()) pattern.refuse("a text to replace", "an empty one");
    return makeReplace(pattern.text("String"), content);
  }
  const std::string regex = pattern.text("Regex");
  if (regex == " {2,}") return makeReplaceSpaceRuns(content);
  pattern.refuse("a String or the Regex \" {2,}\"", "the Regex \"" + regex + "\"");
}

Normalizer readStrip(const CheckedJson& node) {
  return makeStrip(node.flagOr("strip_left", true), node.flagOr("strip_right", true));
}

Normalizer readPrecompiled(const CheckedJson& node) {
  const CheckedJson map = node.child("precompiled_charsmap");
  const auto blob = bytesOfBase64(map.asText());
  if (!blob) map.refuse("base64");
  if (blob->empty()) return makePrecompiled({});
  return makePrecompiled(PrecompiledCharsmap(*blob, map.file(), map.place()));
}

struct NormalizerKind {
  std::string_view name;  // `type`
  Normalizer (*read)(const CheckedJson& node);
};

// To add a normaliser: a function that makes it, a reader, and a line here.
constexpr NormalizerKind kNormalizerKinds[] = {
    {"NFC", readNormalForm},  {"NFD", readNormalForm},          {"NFKC", readNormalForm},
    {"NFKD", readNormalForm}, {"Prepend", readPrepend},         {"Replace", readReplace},
    {"Strip", readStrip},     {"Precompiled", readPrecompiled},
};

}  // namespace

Normalizers readNormalizers(const CheckedJson& root) {
  Normalizers result;
  if (!root.has("normalizer")) return result;
  for (const CheckedJson& node : flattened(root.child("normalizer"), "normalizers"))
    result.push_back(kindOf(node, kNormalizerKinds).read(node));
  return result;
}

// ---- The vocabulary

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
