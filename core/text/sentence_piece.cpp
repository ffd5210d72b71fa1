#include "core/text/sentence_piece.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/base/error.h"
#include "core/text/byte_spellings.h"
#include "core/text/byte_trie.h"
#include "core/text/merges.h"
#include "core/text/unicode.h"
#include "core/text/unigram.h"

namespace plastiscope {

namespace {

constexpr std::size_t kLongestPiece = 8000;

std::string placeOf(std::size_t id) {
  return "piece " + std::to_string(id);
}

}  // namespace

void checkPieces(const SentencePieceModel& model) {
  std::unordered_set<std::string_view> texts;
  int unknown = 0, bytes = 0;
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    const SentencePiece& piece = model.pieces[i];
    if (piece.text.empty() || piece.text.size() >= kLongestPiece) {
      throw InputError({model.file, placeOf(i), "a text of 1 to " + withCommas(kLongestPiece - 1) + " bytes",
                        withCommas(static_cast<long long>(piece.text.size()))});
    }
    if (!std::isfinite(piece.score)) throw InputError({model.file, placeOf(i), "a score", "no number"});
    if (!texts.insert(piece.text).second)
      throw InputError({model.file, placeOf(i), "a unique text", "\"" + piece.text + "\" again"});
    if (piece.kind == PieceKind::Unknown) ++unknown;
    if (piece.kind == PieceKind::Byte && ++bytes > 0 && !byteOfToken(piece.text))
      throw InputError({model.file, placeOf(i), "a byte such as <0x0A>", "\"" + piece.text + "\""});
  }
  if (unknown > 1 || (unknown == 0 && !model.byteFallback))
    throw InputError({model.file, "pieces", "one unknown piece", std::to_string(unknown)});
  if (model.byteFallback && bytes != 256)
    throw InputError({model.file, "pieces", "256 byte pieces (byte fallback)", std::to_string(bytes)});
}

std::shared_ptr<const PieceModel> makeSentencePieceUnigram(const SentencePieceModel& model) {
  UnigramVocabulary vocabulary;
  vocabulary.file = model.file;
  vocabulary.byteFallback = model.byteFallback;
  vocabulary.unknown = -1;
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    const SentencePiece& piece = model.pieces[i];
    const bool userDefined = piece.kind == PieceKind::UserDefined;
    vocabulary.tokens.push_back(
        {piece.text, piece.score, userDefined, !userDefined && piece.kind != PieceKind::Normal});
    if (piece.kind == PieceKind::Unknown) vocabulary.unknown = static_cast<std::int32_t>(i);
  }
  return makeSentencePieceUnigram(std::move(vocabulary));
}

namespace {

// A prefix of the text and its replacement.
struct Step {
  std::size_t length;
  std::string_view result;
};

class SentencePieceNormalizer {
 public:
  explicit SentencePieceNormalizer(const SentencePieceModel& model)
      : m_addDummyPrefix(model.addDummyPrefix),
        m_removeExtraWhitespace(model.removeExtraWhitespace),
        m_whitespaceIsSuffix(model.whitespaceIsSuffix),
        m_space(model.escapeWhitespace ? "\u2581" : " ") {
    if (!model.charsmap.empty()) m_rules = PrecompiledCharsmap(model.charsmap, model.file, "normalizer_spec");
    for (const SentencePiece& piece : model.pieces) {
      if (piece.kind == PieceKind::UserDefined) m_userDefined.add(piece.text, 0);
    }
  }

  AlignedText operator()(AlignedText text, TextLimits& limits) const;

 private:
  class Result;
  Step stepAt(std::string_view text) const;
  std::size_t userDefinedLength(std::string_view text) const;

  PrecompiledCharsmap m_rules;
  ByteTrie m_userDefined;
  bool m_addDummyPrefix, m_removeExtraWhitespace, m_whitespaceIsSuffix;
  std::string m_space;
};

std::size_t SentencePieceNormalizer::userDefinedLength(std::string_view text) const {
  std::size_t length = 0;
  std::uint32_t node = ByteTrie::kRoot;
  for (std::size_t i = 0; i < text.size(); ++i) {
    node = m_userDefined.step(node, text[i]);
    if (node == ByteTrie::kNone) break;
    if (m_userDefined.value(node) >= 0) length = i + 1;
  }
  return length;
}

Step SentencePieceNormalizer::stepAt(std::string_view text) const {
  if (const std::size_t length = userDefinedLength(text)) return {length, text.substr(0, length)};
  if (const auto rule = m_rules.longest(text)) return {rule->length, rule->result};
  std::size_t length = 0;
  nextCodePoint(text, length);
  return {length, text.substr(0, length)};
}

// The new text, and for each byte the begin of its step in the old text. A token ends where the step of the
// next byte begins.
class SentencePieceNormalizer::Result {
 public:
  Result(std::size_t expected, std::string_view space, TextLimits& limits)
      : m_space(space), m_limits(limits) {
    m_text.reserve(expected);
    m_begins.reserve(expected);
  }
  void add(std::string_view bytes, std::size_t from) {
    m_limits.step(m_text.size() + bytes.size());
    for (const char byte : bytes) {
      if (byte == ' ') {
        addSpace(from);
      } else {
        m_text += byte;
        m_begins.push_back(static_cast<std::uint32_t>(from));
      }
    }
  }
  void addSpace(std::size_t from) {
    m_limits.step(m_text.size() + m_space.size());
    m_text += m_space;
    m_begins.resize(m_text.size(), static_cast<std::uint32_t>(from));
  }
  // Returns the end of the remaining text in the old one.
  std::size_t removeSpacesAtEnd(std::size_t end) {
    while (m_text.ends_with(m_space)) {
      const std::size_t length = m_text.size() - m_space.size();
      end = m_begins[length];
      m_text.resize(length);
      m_begins.resize(length);
    }
    return end;
  }
  AlignedText finish(std::size_t end, std::int64_t begin) {
    std::vector<SourceRange> sources(m_begins.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      sources[i] = {m_begins[i], i + 1 < sources.size() ? m_begins[i + 1] : static_cast<std::uint32_t>(end)};
    }
    return {std::move(m_text), std::move(sources), begin};
  }

 private:
  std::string_view m_space;
  TextLimits& m_limits;
  std::string m_text;
  std::vector<std::uint32_t> m_begins;
};

AlignedText SentencePieceNormalizer::operator()(AlignedText text, TextLimits& limits) const {
  const std::string_view bytes = text.view();
  std::size_t position = 0;
  while (m_removeExtraWhitespace && position < bytes.size()) {
    const Step step = stepAt(bytes.substr(position));
    if (step.result != " ") break;
    position += step.length;
  }
  Result result(bytes.size() + bytes.size() / 2, m_space, limits);
  if (position == bytes.size()) return result.finish(0, text.begin());
  if (m_addDummyPrefix && !m_whitespaceIsSuffix) result.addSpace(position);
  bool afterSpace = m_removeExtraWhitespace;
  while (position < bytes.size()) {
    limits.step();
    const Step step = stepAt(bytes.substr(position));
    std::string_view added = step.result;
    while (afterSpace && added.starts_with(' ')) added.remove_prefix(1);
    if (!added.empty()) {
      result.add(added, position);
      afterSpace = added.ends_with(' ');
    }
    position += step.length;
    afterSpace = afterSpace && m_removeExtraWhitespace;
  }
  std::size_t end = position;
  if (m_removeExtraWhitespace) end = result.removeSpacesAtEnd(end);
  if (m_addDummyPrefix && m_whitespaceIsSuffix) result.addSpace(end);
  return result.finish(end, text.begin());
}

}  // namespace

Normalizer makeSentencePieceNormalizer(const SentencePieceModel& model) {
  return SentencePieceNormalizer(model);
}

// ---- SentencePiece BPE: merges neighbours whose concatenation is a piece, highest score first.

namespace {

bool merges(PieceKind kind) {
  return kind == PieceKind::Normal || kind == PieceKind::Unused;
}

// Symbol ids are piece ids; characters that occur only inside pieces get ids after them. User-defined pieces
// never merge and have the id -2 - id.
constexpr std::int32_t kUnknownCharacter = -1;
std::int32_t frozen(std::int32_t id) {
  return -2 - id;
}

constexpr int kDeepest = 100;  // as in SentencePiece

class SentencePieceBpe : public PieceModel {
 public:
  explicit SentencePieceBpe(const SentencePieceModel& model);
  SentencePieceBpe(const SentencePieceBpe&) = delete;
  SentencePieceBpe& operator=(const SentencePieceBpe&) = delete;

  void encode(std::string_view piece, std::vector<PieceToken>& tokens, TextLimits& limits) const override;
  void cut(std::string_view piece, std::vector<std::size_t>& ends) const override {
    m_boundaries.cut(piece, ends);
  }
  std::string name() const override {
    return m_byteFallback ? "SentencePiece BPE with byte fallback" : "SentencePiece BPE";
  }

 private:
  // A range of the piece to encode.
  struct Part {
    std::string_view piece;
    std::uint32_t begin, end;
    std::string_view text() const { return piece.substr(begin, end - begin); }
  };
  struct Made {
    std::vector<PieceToken>& tokens;
    TextLimits& limits;
  };
  void addSymbols();
  void rankMerges();
  void addJoints();
  std::vector<Symbol> symbolsOf(std::string_view text) const;
  void append(std::int32_t symbol, Part part, int depth, Made& made) const;
  void appendMerged(Part part, std::int32_t forbidden, int depth, Made& made) const;
  void appendUnknown(Part part, std::vector<PieceToken>& tokens) const;

  std::vector<SentencePiece> m_pieces;
  std::vector<std::string> m_characters;
  SymbolIds m_symbols;
  PairTable m_merges;
  ByteTrie m_userDefined;
  MergeBoundaries m_boundaries;
  bool m_byteFallback;
};

SentencePieceBpe::SentencePieceBpe(const SentencePieceModel& model)
    : m_pieces(model.pieces), m_merges(0), m_byteFallback(model.byteFallback) {
  for (std::size_t i = 0; i < m_pieces.size(); ++i) {
    const SentencePiece& piece = m_pieces[i];
    const auto id = static_cast<std::int32_t>(i);
    const bool isName = piece.kind == PieceKind::Control || piece.kind == PieceKind::Unknown;
    m_bytes.push_back(isName ? piece.text : bytesOfCharacterToken(piece.text));
    if (piece.kind == PieceKind::Unknown) m_unknownToken = id;
    if (piece.kind == PieceKind::UserDefined) m_userDefined.add(piece.text, id);
    if (piece.kind == PieceKind::Byte) {
      if (const auto byte = byteOfToken(piece.text)) m_byteTokens[*byte] = id;
    }
  }
  addSymbols();
  rankMerges();
  addJoints();
}

// Adds all characters before taking string_views into them.
void SentencePieceBpe::addSymbols() {
  for (std::size_t i = 0; i < m_pieces.size(); ++i) {
    if (merges(m_pieces[i].kind)) m_symbols.emplace(m_pieces[i].text, static_cast<std::int32_t>(i));
  }
  std::unordered_map<std::string, std::int32_t> inside;
  for (const SentencePiece& piece : m_pieces) {
    if (!merges(piece.kind)) continue;
    for (std::size_t position = 0; position < piece.text.size();) {
      const std::size_t begin = position;
      nextCodePoint(piece.text, position);
      const std::string character = piece.text.substr(begin, position - begin);
      if (!m_symbols.contains(character)) inside.emplace(character, 0);
    }
  }
  for (const auto& [character, unused] : inside) m_characters.push_back(character);
  for (std::size_t i = 0; i < m_characters.size(); ++i)
    m_symbols.emplace(m_characters[i], static_cast<std::int32_t>(m_pieces.size() + i));
}

void SentencePieceBpe::rankMerges() {
  std::vector<float> scores;
  for (const SentencePiece& piece : m_pieces) {
    if (merges(piece.kind)) scores.push_back(piece.score);
  }
  const auto higher = [](float a, float b) { return std::strong_order(a, b) > 0; };
  std::ranges::sort(scores, higher);
  const auto last =
      std::ranges::unique(scores, [](float a, float b) { return std::strong_order(a, b) == 0; });
  scores.erase(last.begin(), last.end());
  m_merges = derivedMerges(m_symbols, [&](std::int32_t id) -> std::optional<std::uint32_t> {
    if (static_cast<std::size_t>(id) >= m_pieces.size()) return std::nullopt;
    const float score = m_pieces[static_cast<std::size_t>(id)].score;
    return static_cast<std::uint32_t>(std::ranges::lower_bound(scores, score, higher) - scores.begin());
  });
}

void SentencePieceBpe::addJoints() {
  for (const SentencePiece& piece : m_pieces) {
    if (!merges(piece.kind) && piece.kind != PieceKind::UserDefined) continue;
    m_boundaries.addToken(piece.text);
    std::size_t end = 0;
    const char32_t first = nextCodePoint(piece.text, end);
    if (piece.kind == PieceKind::Normal && end == piece.text.size()) m_boundaries.addKnown(first);
  }
}

std::vector<Symbol> SentencePieceBpe::symbolsOf(std::string_view text) const {
  std::vector<Symbol> symbols;
  symbols.reserve(text.size());
  for (std::size_t position = 0; position < text.size();) {
    std::size_t end = position;
    std::int32_t id = kUnknownCharacter;
    std::uint32_t node = ByteTrie::kRoot;
    for (std::size_t i = position; i < text.size(); ++i) {
      node = m_userDefined.step(node, text[i]);
      if (node == ByteTrie::kNone) break;
      if (m_userDefined.value(node) < 0) continue;
      id = frozen(m_userDefined.value(node));
      end = i + 1;
    }
    if (end == position) {
      nextCodePoint(text, end);
      const auto known = m_symbols.find(text.substr(position, end - position));
      if (known != m_symbols.end()) id = known->second;
    }
    const auto length = static_cast<std::uint32_t>(end - position);
    appendSymbol(symbols, id, length, length);
    position = end;
  }
  return symbols;
}

void SentencePieceBpe::appendUnknown(Part part, std::vector<PieceToken>& tokens) const {
  if (!m_byteFallback) {
    const bool again =
        !tokens.empty() && tokens.back().id == m_unknownToken && tokens.back().end == part.begin;
    if (!again) tokens.push_back({m_unknownToken, part.begin, part.end});
    tokens.back().end = part.end;
    return;
  }
  // The last byte token covers the whole character, the others an empty range before it.
  for (std::uint32_t i = part.begin; i < part.end; ++i) {
    const std::int32_t id = m_byteTokens[static_cast<unsigned char>(part.piece[i])];
    tokens.push_back({id, part.begin, i + 1 == part.end ? part.end : part.begin});
  }
}

// Splits an unused piece into the two symbols it was merged from.
void SentencePieceBpe::append(std::int32_t symbol, Part part, int depth, Made& made) const {
  if (symbol <= frozen(0)) {
    made.tokens.push_back({frozen(symbol), part.begin, part.end});
    return;
  }
  if (symbol < 0 || static_cast<std::size_t>(symbol) >= m_pieces.size()) {
    appendUnknown(part, made.tokens);
    return;
  }
  const bool unused = m_pieces[static_cast<std::size_t>(symbol)].kind == PieceKind::Unused;
  if (!unused || depth > kDeepest) {
    made.tokens.push_back({symbol, part.begin, part.end});
  } else {
    appendMerged(part, symbol, depth + 1, made);
  }
}

void SentencePieceBpe::appendMerged(Part part, std::int32_t forbidden, int depth, Made& made) const {
  std::vector<Symbol> symbols = symbolsOf(part.text());
  mergeSymbols(symbols, m_merges, made.limits, forbidden);
  std::uint32_t begin = part.begin;
  for (const Symbol& symbol : symbols) {
    if (symbol.bytes == 0) continue;
    const Part inside{part.piece, begin, begin + symbol.bytes};
    if (symbol.id == forbidden && forbidden >= 0) {
      appendUnknown(inside, made.tokens);  // one character
    } else {
      append(symbol.id, inside, depth, made);
    }
    begin += symbol.bytes;
  }
}

void SentencePieceBpe::encode(std::string_view piece, std::vector<PieceToken>& tokens,
                              TextLimits& limits) const {
  Made made{tokens, limits};
  appendMerged({piece, 0, static_cast<std::uint32_t>(piece.size())}, kUnknownCharacter, 0, made);
}

}  // namespace

std::shared_ptr<const PieceModel> makeSentencePieceBpe(const SentencePieceModel& model) {
  return std::make_shared<SentencePieceBpe>(model);
}

}  // namespace plastiscope
