#include "core/text/gguf_vocabulary.h"

#include <unordered_map>

#include "core/base/error.h"
#include "core/text/byte_pair.h"
#include "core/text/gguf_fields.h"
#include "core/text/gguf_split.h"
#include "core/text/pipeline_tokenizer.h"
#include "core/text/sentence_piece.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMostMerges = 4'000'000;

const GgufSplitRule& splitRule(const GgufFile& file) {
  std::string known;
  for (const GgufSplitRule& rule : ggufSplitRules()) {
    for (const std::string_view name : rule.names) known += (known.empty() ? "" : ", ") + std::string(name);
  }
  const auto name = file.text(ggufKey("pre"));
  if (!name) {
    throw InputError({file.path(), ggufKey("pre"), "the name of a pre-split rule (" + known + ")",
                      "none; convert the model again with a newer converter, or capture with --tokens"});
  }
  const GgufSplitRule* rule = ggufSplitRule(*name);
  if (rule == nullptr)
    throw InputError({file.path(), ggufKey("pre"), "one of " + known, "\"" + *name + "\""});
  return *rule;
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
  const auto* list = ggufList<std::string>(file, "merges", kMostMerges);
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
  for (const std::string_view name : rule.rules)
    parts.splits.emplace_back(CutStep{findSplitRule(name)->scan, "", SplitBehavior::Isolated, false});
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

// Converters write the spaces of user-defined pieces as such, where the model itself has its symbol for them.
std::string pieceText(const std::string& text, PieceKind kind) {
  if (kind != PieceKind::UserDefined) return text;
  std::string escaped;
  for (const char letter : text) escaped += letter == ' ' ? "\u2581" : std::string(1, letter);
  return escaped;
}

// Converters write texts twice where a file lists a piece again; the first one is meant.
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
};

const VocabularyKind& kindNamedIn(const GgufFile& file) {
  const std::string known = "gpt2 (byte-level BPE) or llama (SentencePiece BPE)";
  const auto name = file.text(ggufKey("model"));
  if (!name) throw InputError({file.path(), ggufKey("model"), known, "no vocabulary in this file"});
  for (const VocabularyKind& kind : kVocabularyKinds) {
    if (kind.name == *name) return kind;
  }
  throw InputError({file.path(), ggufKey("model"), "one of " + known, "\"" + *name + "\""});
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
