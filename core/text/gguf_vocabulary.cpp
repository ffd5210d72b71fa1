#include "core/text/gguf_vocabulary.h"

#include "core/base/error.h"
#include "core/text/byte_pair.h"
#include "core/text/pipeline_tokenizer.h"
#include "core/weights/gguf.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMostTokens = 2'000'000, kMostMerges = 4'000'000;

// Values of tokenizer.ggml.token_type.
enum TokenType : std::int64_t { Normal = 1, Unknown = 2, Control = 3, UserDefined = 4, Unused = 5, Byte = 6 };

std::string key(const char* name) {
  return std::string("tokenizer.ggml.") + name;
}

template <typename Value>
const std::vector<Value>* list(const GgufFile& file, const char* name, std::size_t most) {
  const auto entry = file.metadata().find(key(name));
  if (entry == file.metadata().end()) return nullptr;
  const auto* values = std::get_if<std::vector<Value>>(&entry->second);
  if (values == nullptr) throw InputError({file.path(), key(name), "a list", "another type"});
  if (values->size() > most) {
    throw InputError({file.path(), key(name),
                      "at most " + withCommas(static_cast<long long>(most)) + " entries",
                      withCommas(static_cast<long long>(values->size()))});
  }
  return values;
}

template <typename Value>
const std::vector<Value>& requiredList(const GgufFile& file, const char* name, std::size_t most) {
  const auto* values = list<Value>(file, name, most);
  if (values == nullptr) throw InputError({file.path(), key(name), "a list", "no such entry"});
  return *values;
}

const GgufSplitRule& splitRule(const GgufFile& file) {
  std::string known;
  for (const GgufSplitRule& rule : ggufSplitRules()) {
    for (const std::string_view name : rule.names) known += (known.empty() ? "" : ", ") + std::string(name);
  }
  const auto name = file.text(key("pre"));
  if (!name) {
    throw InputError({file.path(), key("pre"), "the name of a pre-split rule (" + known + ")",
                      "none; convert the model again with a newer converter, or capture with --tokens"});
  }
  const GgufSplitRule* rule = ggufSplitRule(*name);
  if (rule == nullptr) throw InputError({file.path(), key("pre"), "one of " + known, "\"" + *name + "\""});
  return *rule;
}

void readTokens(const GgufFile& file, BytePairVocabulary& vocabulary, std::vector<AddedToken>& added) {
  const auto& texts = requiredList<std::string>(file, "tokens", kMostTokens);
  const auto* types = list<std::int64_t>(file, "token_type", kMostTokens);
  if (types != nullptr && types->size() != texts.size()) {
    throw InputError({file.path(), key("token_type"),
                      withCommas(static_cast<long long>(texts.size())) + " entries",
                      withCommas(static_cast<long long>(types->size()))});
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto id = static_cast<std::int32_t>(i);
    const std::int64_t type = types == nullptr ? std::int64_t{Normal} : (*types)[i];
    vocabulary.tokens.emplace_back(texts[i], id);
    if (type == Control || type == UserDefined || type == Unknown) {
      AddedToken token;
      token.text = texts[i];
      token.id = id;
      token.special = type == Control;
      added.push_back(std::move(token));
    }
  }
}

void readMerges(const GgufFile& file, BytePairVocabulary& vocabulary) {
  for (const std::string& merge : requiredList<std::string>(file, "merges", kMostMerges)) {
    const auto space = merge.find(' ', 1);
    if (space == std::string::npos) {
      throw InputError(
          {file.path(), key("merges"), "two tokens with a space between them", "\"" + merge + "\""});
    }
    vocabulary.merges.emplace_back(merge.substr(0, space), merge.substr(space + 1));
  }
}

std::int32_t specialId(const GgufFile& file, const char* name, std::size_t tokens) {
  const auto id = file.integer(key(name));
  if (!id || *id < 0 || static_cast<std::size_t>(*id) >= tokens) {
    throw InputError({file.path(), key(name), "the id of a token, because it is to be added",
                      id ? std::to_string(*id) : std::string("none")});
  }
  return static_cast<std::int32_t>(*id);
}

std::vector<PostStep> readTemplate(const GgufFile& file, const GgufSplitRule& rule, std::size_t tokens) {
  AddTemplate around;
  if (file.flag(key("add_bos_token")).value_or(rule.addBos))
    around.before.push_back(specialId(file, "bos_token_id", tokens));
  if (file.flag(key("add_eos_token")).value_or(false))
    around.after.push_back(specialId(file, "eos_token_id", tokens));
  if (around.before.empty() && around.after.empty()) return {};
  return {around};
}

}  // namespace

std::shared_ptr<const Tokenizer> openGgufVocabulary(const std::filesystem::path& path) {
  const auto file = openGguf(path);
  const auto model = file->text(key("model"));
  if (!model) throw InputError({path, key("model"), "gpt2 (byte-level BPE)", "no vocabulary in this file"});
  if (*model != "gpt2")
    throw InputError({path, key("model"), "one of gpt2 (byte-level BPE)", "\"" + *model + "\""});
  const GgufSplitRule& rule = splitRule(*file);

  TokenizerParts parts;
  parts.file = path;
  for (const std::string_view name : rule.rules) parts.splits.push_back(findSplitRule(name));
  BytePairVocabulary vocabulary;
  vocabulary.file = path;
  vocabulary.ignoreMerges = rule.ignoreMerges;
  readTokens(*file, vocabulary, parts.added);
  readMerges(*file, vocabulary);
  parts.vocabularySize = static_cast<std::int64_t>(vocabulary.tokens.size());
  parts.postSteps = readTemplate(*file, rule, vocabulary.tokens.size());
  parts.model = std::make_shared<BytePair>(vocabulary);
  return makePipelineTokenizer(std::move(parts));
}

}  // namespace plastiscope
