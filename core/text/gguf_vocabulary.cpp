// Tokenizer of a GGUF file (tokenizer.ggml.*).
#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/text/bpe.h"
#include "core/text/normalizers.h"
#include "core/text/pipeline_steps.h"
#include "core/text/pipeline_tokenizer.h"
#include "core/text/regex_split.h"
#include "core/text/sentence_piece.h"
#include "core/text/tokenizer_files.h"
#include "core/weights/gguf.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMaxTokens = 2'000'000;

std::string ggufKey(const char* name) {
  return std::string("tokenizer.ggml.") + name;
}

// nullptr when absent; InputError when the list has another type or more than `most` entries.
template <typename Value>
const std::vector<Value>* ggufList(const GgufFile& file, const char* name, std::size_t most) {
  const auto entry = file.metadata().find(ggufKey(name));
  if (entry == file.metadata().end()) return nullptr;
  const auto* values = std::get_if<std::vector<Value>>(&entry->second);
  if (values == nullptr) throw InputError({file.path(), ggufKey(name), "a list", "another type"});
  if (values->size() > most) {
    throw InputError({file.path(), ggufKey(name),
                      "at most " + withCommas(static_cast<long long>(most)) + " entries",
                      withCommas(static_cast<long long>(values->size()))});
  }
  return values;
}

std::int32_t specialId(const GgufFile& file, const char* name, std::size_t tokens) {
  const auto id = file.integer(ggufKey(name));
  if (!id || *id < 0 || static_cast<std::size_t>(*id) >= tokens) {
    throw InputError({file.path(), ggufKey(name), "the id of a token, because it is to be added",
                      id ? std::to_string(*id) : std::string("none")});
  }
  return static_cast<std::int32_t>(*id);
}

template <typename Value>
const std::vector<Value>* listOfLength(const GgufFile& file, const char* name, std::size_t length) {
  const auto* values = ggufList<Value>(file, name, kMaxTokens);
  if (values != nullptr && values->size() != length) {
    throw InputError({file.path(), ggufKey(name), withCommas(static_cast<long long>(length)) + " entries",
                      withCommas(static_cast<long long>(values->size()))});
  }
  return values;
}

// Texts, types (PieceKind) and scores of the tokens. Default type: Normal; default score: 0.
struct GgufTokens {
  const std::vector<std::string>& texts;
  const std::vector<std::int64_t>* types;
  const std::vector<double>* scores;
  std::int64_t type(std::size_t id) const { return types == nullptr ? 1 : (*types)[id]; }
};

// InputError when the lists are missing, too long, or of different lengths.
GgufTokens readGgufTokens(const GgufFile& file) {
  const auto* texts = ggufList<std::string>(file, "tokens", kMaxTokens);
  if (texts == nullptr) throw InputError({file.path(), ggufKey("tokens"), "a list", "no such entry"});
  return {*texts, listOfLength<std::int64_t>(file, "token_type", texts->size()),
          listOfLength<double>(file, "scores", texts->size())};
}

// Steps for tokenizer.ggml.add_bos_token and add_eos_token.
std::vector<PostStep> readGgufTemplate(const GgufFile& file, std::size_t tokens, bool addBosByDefault) {
  AddTemplate around;
  if (file.flag(ggufKey("add_bos_token")).value_or(addBosByDefault))
    around.before.push_back(specialId(file, "bos_token_id", tokens));
  if (file.flag(ggufKey("add_eos_token")).value_or(false))
    around.after.push_back(specialId(file, "eos_token_id", tokens));
  if (around.before.empty() && around.after.empty()) return {};
  return {around};
}

// ---- Names of pre-split rules in GGUF files (tokenizer.ggml.pre).

// A value of `tokenizer.ggml.pre`: names of rules (pre_split.h) or patterns, applied in order, and other
// implied settings.
struct GgufSplitRule {
  std::vector<std::string_view> names;
  std::vector<std::string_view> rules;
  bool ignoreMerges = false;
  bool addBos = false;  // default when the file has no such entry
};

// Names as in llama.cpp; where it approximates the pattern of a model, the exact pattern is used.
const std::vector<GgufSplitRule> kGgufRules = {
    {{"gpt-2", "phi-2", "olmo", "mpt", "exaone4", "jais", "mellum", "trillion", "a.x-4.0", "gigachat",
      "granite-docling", "modern-bert", "jina-es", "jina-de", "jina-v2-es", "jina-v2-de"},
     {"gpt2"}},
    {{"llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2",
      "jina-v5-nano"},
     {"llama3"},
     true,
     true},
    {{"smaug-bpe", "dbrx", "glm4", "chatglm-bpe"}, {"llama3"}},
    {{"qwen2", "stablelm2", "deepseek-r1-qwen", "hunyuan", "megrez", "solar-open", "grok-2", "kormo",
      "f2llmv2"},
     {"qwen2"}},
    {{"bailingmoe", "bailingmoe2", "llada-moe"}, {"qwen2"}},
    {{"qwen35"}, {"qwen35"}},
    {{"seed-coder"}, {"seed"}},
    {{"gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2"}, {"o200k"}},
    {{"tekken"}, {"tekken"}, true, true},
    {{"deepseek-v3", "hunyuan-dense", "joyai-llm"}, {"digits_by_three", "cjk_runs", "deepseek3"}},
    {{"deepseek-coder"}, {R"([\r\n])", R"(\s?\p{L}+)", R"(\s?\p{P}+)", "[一-龥ࠀ-一가-\uD7FF]+", R"(\p{N})"}},
    {{"falcon"}, {R"([\p{P}\$\+<=>\^~\|`]+)", "gpt2", "digit_triples"}},
    {{"poro-chat", "bloom", "gpt3-finnish"}, {R"( ?[^(\s|.,!?…。，、।۔،)]+)"}},
    {{"viking"}, {R"( ?[^(\s|.,!?…。，、।۔،)]+)", "digits"}},
    {{"tiny_aya", "cohere2moe"}, {R"(\d{1,3}(?=(?:\d{3})*\b))", "o200k"}},
    {{"exaone-moe"},
     {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+)"}},
    {{"minicpm5"},
     {"digits_by_three",
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}+| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
     true},
    {{"smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b", "mellum2"},
     {"digits", "gpt2"}},
    {{"default"}, {"punctuation_runs", "gpt2", "digit_runs", "digit_triples"}},
};

constexpr std::size_t kMaxMerges = 4'000'000;

const GgufSplitRule& splitRule(const GgufFile& file) {
  const std::string known = joined(kGgufRules, [](const GgufSplitRule& rule) { return joined(rule.names); });
  const auto name = file.text(ggufKey("pre"));
  if (!name) {
    throw InputError({file.path(), ggufKey("pre"), "the name of a pre-split rule (" + known + ")",
                      "none; convert the model again with a newer converter, or capture with --tokens"});
  }
  for (const GgufSplitRule& rule : kGgufRules) {
    if (std::ranges::find(rule.names, *name) != rule.names.end()) return rule;
  }
  throw UnknownVocabulary({file.path(), ggufKey("pre"), "one of " + known, "\"" + *name + "\""});
}

PieceKind kindOf(const GgufFile& file, const GgufTokens& tokens, std::size_t id) {
  const std::int64_t type = tokens.type(id);
  if (type < 1 || type > 6) {
    throw InputError({file.path(), ggufKey("token_type") + "[" + std::to_string(id) + "]",
                      "a type from 1 to 6", std::to_string(type)});
  }
  return static_cast<PieceKind>(type);
}

AddedToken addedToken(const std::string& text, std::size_t id, bool special) {
  AddedToken token;
  token.text = text;
  token.id = static_cast<std::int32_t>(id);
  token.special = special;
  return token;
}

MergeTexts readMerges(const GgufFile& file) {
  const auto* list = ggufList<std::string>(file, "merges", kMaxMerges);
  if (list == nullptr) throw InputError({file.path(), ggufKey("merges"), "a list", "no such entry"});
  MergeTexts merges;
  for (const std::string& merge : *list) {
    const auto space = merge.find(' ', 1);
    if (space == std::string::npos) {
      throw InputError(
          {file.path(), ggufKey("merges"), "two tokens with a space between them", "\"" + merge + "\""});
    }
    merges.emplace_back(merge.substr(0, space), merge.substr(space + 1));
  }
  return merges;
}

TokenizerParts readByteLevel(const GgufFile& file) {
  const GgufSplitRule& rule = splitRule(file);
  TokenizerParts parts;
  for (const std::string_view name : rule.rules) {
    CutStep::Pattern pattern;
    if (const SplitRule* known = findSplitRule(name))
      pattern = known->scan;
    else
      pattern = std::make_shared<const RegexSplitter>(std::string(name), file.path(), ggufKey("pre"));
    parts.splits.emplace_back(CutStep{std::move(pattern), SplitBehavior::Isolated, false});
  }
  const GgufTokens tokens = readGgufTokens(file);
  BytePairVocabulary vocabulary;
  vocabulary.file = file.path();
  vocabulary.ignoreMerges = rule.ignoreMerges;
  for (std::size_t id = 0; id < tokens.texts.size(); ++id) {
    const PieceKind kind = kindOf(file, tokens, id);
    vocabulary.tokens.emplace_back(tokens.texts[id], static_cast<std::int32_t>(id));
    if (kind == PieceKind::Control || kind == PieceKind::UserDefined || kind == PieceKind::Unknown)
      parts.added.push_back(addedToken(tokens.texts[id], id, kind == PieceKind::Control));
  }
  vocabulary.merges = readMerges(file);
  parts.postSteps = readGgufTemplate(file, tokens.texts.size(), rule.addBos);
  parts.model = std::make_shared<BytePair>(vocabulary);
  return parts;
}

// Gemma 4: merges over characters, spaces as U+2581, no pre-splitting (llama.cpp splits at line breaks, which
// no merge crosses).
TokenizerParts readCharacters(const GgufFile& file) {
  TokenizerParts parts;
  const GgufTokens tokens = readGgufTokens(file);
  BytePairVocabulary vocabulary;
  vocabulary.file = file.path();
  vocabulary.byteFallback = vocabulary.fuseUnknown = true;
  for (std::size_t id = 0; id < tokens.texts.size(); ++id) {
    const PieceKind kind = kindOf(file, tokens, id);
    vocabulary.tokens.emplace_back(tokens.texts[id], static_cast<std::int32_t>(id));
    if (kind == PieceKind::Unknown) vocabulary.unknown = static_cast<std::int32_t>(id);
    if (kind == PieceKind::Control || kind == PieceKind::UserDefined || kind == PieceKind::Unknown)
      parts.added.push_back(addedToken(tokens.texts[id], id, kind != PieceKind::UserDefined));
  }
  vocabulary.merges = readMerges(file);
  parts.normalizers.push_back(makeReplace(" ", "\u2581"));
  parts.postSteps = readGgufTemplate(file, tokens.texts.size(), true);
  parts.model = std::make_shared<CharPair>(vocabulary);
  return parts;
}

// Converters write plain spaces in user-defined pieces; the model uses its own symbol for them.
std::string pieceText(const std::string& text, PieceKind kind) {
  if (kind != PieceKind::UserDefined) return text;
  std::string escaped;
  for (const char letter : text) escaped += letter == ' ' ? "\u2581" : std::string(1, letter);
  return escaped;
}

// Converters repeat the text when a file lists a piece twice; only the first is used.
void hideRepeated(SentencePieceModel& model) {
  std::unordered_map<std::string, int> seen;
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    SentencePiece& piece = model.pieces[i];
    if (seen[piece.text]++ == 0) continue;
    piece.text += "<repeated " + std::to_string(i) + ">";
    piece.kind = PieceKind::Control;
  }
}

TokenizerParts readSentencePiece(const GgufFile& file) {
  TokenizerParts parts;
  const GgufTokens tokens = readGgufTokens(file);
  if (tokens.scores == nullptr)
    throw InputError({file.path(), ggufKey("scores"), "the scores of the tokens", "no such entry"});
  SentencePieceModel model;
  model.file = file.path();
  model.addDummyPrefix = file.flag(ggufKey("add_space_prefix")).value_or(true);
  model.removeExtraWhitespace = file.flag(ggufKey("remove_extra_whitespaces")).value_or(false);
  for (std::size_t id = 0; id < tokens.texts.size(); ++id) {
    const PieceKind kind = kindOf(file, tokens, id);
    model.pieces.push_back(
        {pieceText(tokens.texts[id], kind), static_cast<float>((*tokens.scores)[id]), kind});
    model.byteFallback = model.byteFallback || kind == PieceKind::Byte;
    if (kind == PieceKind::Control) parts.added.push_back(addedToken(tokens.texts[id], id, true));
  }
  hideRepeated(model);
  checkPieces(model);
  parts.postSteps = readGgufTemplate(file, tokens.texts.size(), true);
  parts.normalizers.push_back(makeSentencePieceNormalizer(model));
  parts.model = makeSentencePieceBpe(model);
  return parts;
}

struct VocabularyKind {
  std::string_view name;  // tokenizer.ggml.model
  TokenizerParts (*read)(const GgufFile& file);
};

constexpr VocabularyKind kVocabularyKinds[] = {
    {"gpt2", readByteLevel},
    {"llama", readSentencePiece},
    {"gemma4", readCharacters},
};

const VocabularyKind& kindNamedIn(const GgufFile& file) {
  const std::string known = "gpt2 (byte-level BPE), llama (SentencePiece BPE) or gemma4 (BPE of characters)";
  const auto name = file.text(ggufKey("model"));
  if (!name) throw UnknownVocabulary({file.path(), ggufKey("model"), known, "no vocabulary in this file"});
  for (const VocabularyKind& kind : kVocabularyKinds) {
    if (kind.name == *name) return kind;
  }
  throw UnknownVocabulary({file.path(), ggufKey("model"), "one of " + known, "\"" + *name + "\""});
}

}  // namespace

std::shared_ptr<const Tokenizer> openGgufVocabulary(const std::filesystem::path& path) {
  const auto file = openGguf(path);
  TokenizerParts parts = kindNamedIn(*file).read(*file);
  parts.file = path;
  parts.vocabularySize = static_cast<std::int64_t>(readGgufTokens(*file).texts.size());
  return makePipelineTokenizer(std::move(parts));
}

}  // namespace plastiscope
