#include "core/text/hf_tokenizer.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/text/byte_pair.h"
#include "core/text/hf_steps.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMostTokens = 2'000'000, kMostMerges = 4'000'000, kMostAdded = 100'000;
constexpr std::size_t kMostFileBytes = std::size_t{1} << 29;

void requireAtMost(const JsonNode& node, std::size_t most) {
  if (node.value().size() > most) {
    node.refuse("at most " + withCommas(static_cast<long long>(most)) + " entries",
                withCommas(static_cast<long long>(node.value().size())));
  }
}

void readVocabulary(const JsonNode& model, BytePairVocabulary& vocabulary) {
  const JsonNode node = model.child("vocab");
  if (!node.value().is_object()) node.refuse("an object of tokens and ids", shortJson(node.value()));
  requireAtMost(node, kMostTokens);
  vocabulary.tokens.reserve(node.value().size());
  for (const auto& [text, id] : node.value().items()) {
    vocabulary.tokens.emplace_back(text,
                                   JsonNode(id, node.file(), "vocabulary entry \"" + text + "\"").asId());
  }
}

// "a b", or ["a", "b"] in newer files.
std::pair<std::string, std::string> readMerge(const JsonNode& node) {
  if (node.value().is_array()) {
    const auto parts = node.items();
    if (parts.size() != 2) node.refuse("two tokens", shortJson(node.value()));
    return {parts[0].asText(), parts[1].asText()};
  }
  const std::string text = node.asText();
  const auto space = text.find(' ');
  if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos) {
    node.refuse("two tokens with one space between them", shortJson(node.value()));
  }
  return {text.substr(0, space), text.substr(space + 1)};
}

void refuseIfSet(const JsonNode& model, const std::string& key) {
  if (!model.has(key)) return;
  const Json& value = model.value().at(key);
  const bool neutral = value == "" || value == false || (value.is_number() && value == 0);
  if (!neutral) model.child(key).refuse("none (byte-level BPE)", shortJson(value));
}

std::shared_ptr<const PieceModel> readBytePair(const JsonNode& model) {
  for (const char* key : {"dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback"}) {
    refuseIfSet(model, key);
  }
  BytePairVocabulary vocabulary;
  vocabulary.file = model.file();
  readVocabulary(model, vocabulary);
  requireAtMost(model.child("merges"), kMostMerges);
  for (const JsonNode& merge : model.child("merges").items()) vocabulary.merges.push_back(readMerge(merge));
  vocabulary.ignoreMerges = model.flagOr("ignore_merges", false);
  vocabulary.fuseUnknown = model.flagOr("fuse_unk", false);
  const std::string unknown = model.textOr("unk_token", "");
  const auto entry =
      std::ranges::find(vocabulary.tokens, unknown, &std::pair<std::string, std::int32_t>::first);
  if (!unknown.empty() && entry != vocabulary.tokens.end()) vocabulary.unknown = entry->second;
  return std::make_shared<BytePair>(vocabulary);
}

struct ModelKind {
  std::string_view name;  // `type`
  std::shared_ptr<const PieceModel> (*read)(const JsonNode& model);
};

constexpr ModelKind kModelKinds[] = {
    {"BPE", readBytePair},
};

std::shared_ptr<const PieceModel> readModel(const JsonNode& model) {
  const std::string type =
      model.textOr("type", model.has("merges") ? "BPE" : "none");  // old files have no type
  for (const ModelKind& kind : kModelKinds) {
    if (kind.name == type) return kind.read(model);
  }
  model.refuseUnknown(type, kModelKinds);
}

std::vector<AddedToken> readAddedTokens(const JsonNode& root) {
  std::vector<AddedToken> result;
  if (!root.has("added_tokens")) return result;
  requireAtMost(root.child("added_tokens"), kMostAdded);
  for (const JsonNode& node : root.child("added_tokens").items()) {
    AddedToken token;
    token.text = node.text("content");
    token.id = node.id("id");
    token.special = node.flagOr("special", false);
    token.singleWord = node.flagOr("single_word", false);
    token.stripLeft = node.flagOr("lstrip", false);
    token.stripRight = node.flagOr("rstrip", false);
    token.normalized = node.flagOr("normalized", !token.special);
    result.push_back(std::move(token));
  }
  return result;
}

std::int64_t countTokens(const JsonNode& model, const std::vector<AddedToken>& added) {
  const Json& vocabulary = model.child("vocab").value();
  std::set<std::string> beside;
  for (const AddedToken& token : added) {
    if (!vocabulary.contains(token.text)) beside.insert(token.text);
  }
  return static_cast<std::int64_t>(vocabulary.size() + beside.size());
}

// tokenizer_config.json may claim another thing about the BOS token than the template does; the template
// wins.
std::string bosConflict(const std::filesystem::path& file, const std::vector<PostStep>& steps) {
  const auto configFile = file.parent_path() / "tokenizer_config.json";
  std::error_code code;
  if (!std::filesystem::is_regular_file(configFile, code)) return "";
  const Json config = readJsonFile(configFile, std::size_t{1} << 26);
  const JsonNode root(config, configFile);
  if (!root.has("add_bos_token")) return "";
  const bool claimed = root.flagOr("add_bos_token", false);
  const bool added = std::ranges::any_of(steps, [](const PostStep& step) {
    const auto* around = std::get_if<AddTemplate>(&step);
    return around != nullptr && !around->before.empty();
  });
  if (claimed == added) return "";
  return std::string("tokenizer_config.json says add_bos_token = ") + (claimed ? "true" : "false") +
         ", the template of tokenizer.json wins";
}

}  // namespace

std::shared_ptr<const Tokenizer> openTokenizerJson(const std::filesystem::path& file) {
  const Json json = readJsonFile(file, kMostFileBytes);
  const JsonNode root(json, file);
  const JsonNode model = root.child("model");
  TokenizerParts parts;
  parts.file = file;
  parts.added = readAddedTokens(root);
  parts.normalizers = readNormalizers(root);
  parts.splits = readPreTokenizer(root);
  parts.model = readModel(model);
  parts.postSteps = readPostProcessor(root);
  parts.vocabularySize = countTokens(model, parts.added);
  parts.note = bosConflict(file, parts.postSteps);
  return makePipelineTokenizer(std::move(parts));
}

}  // namespace plastiscope
