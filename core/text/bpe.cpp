#include "core/text/bpe.h"

#include <algorithm>
#include <iterator>

#include "core/text/unicode.h"

namespace plastiscope {

namespace {

// Offsets after bytes without a token were left out. Like the reference library, adds up the lengths of the
// remaining tokens, in the byte-level spelling, from the start of the piece.
void offsetsWithGaps(std::string_view piece, const std::vector<std::uint32_t>& lengths,
                     std::vector<PieceToken>& tokens, std::size_t firstToken) {
  std::vector<std::uint32_t> byteAt;  // of each position in the byte-level spelling
  for (std::uint32_t i = 0; i < piece.size(); ++i) {
    byteAt.insert(byteAt.end(), byteLevelLength(static_cast<unsigned char>(piece[i])), i);
  }
  std::uint32_t position = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    PieceToken& token = tokens[firstToken + i];
    token.begin = byteAt[position];
    position += lengths[i];
    token.end = byteAt[position - 1] + 1;
  }
}

// Appends the piece as one token if it is in the vocabulary.
bool appendWhole(std::string_view piece, const SymbolIds& ids, std::vector<PieceToken>& tokens) {
  const auto whole = ids.find(piece);
  if (whole == ids.end()) return false;
  tokens.push_back({whole->second, 0, static_cast<std::uint32_t>(piece.size())});
  return true;
}

}  // namespace

BytePair::BytePair(const BytePairVocabulary& vocabulary)
    : m_byteIds(256, -1),
      m_merges(0),
      m_ignoreMerges(vocabulary.ignoreMerges),
      m_fuseUnknown(vocabulary.fuseUnknown),
      m_unknown(vocabulary.unknown) {
  m_unknownToken = m_unknown.value_or(-1);
  const VocabularyIds ids(vocabulary.tokens, vocabulary.file);
  m_merges = ids.merges(vocabulary.merges);
  m_bytes.resize(ids.space());
  for (const auto& [text, id] : vocabulary.tokens) {
    if (auto bytes = bytesOfByteLevelText(text)) m_bytes[static_cast<std::size_t>(id)] = std::move(*bytes);
  }
  indexBytes();
}

BytePair::BytePair(std::vector<std::string> ranked, std::int32_t firstId)
    : PieceModel(static_cast<std::size_t>(firstId)),
      m_byteIds(256, -1),
      m_merges(0),
      m_ignoreMerges(true),
      m_fuseUnknown(false) {
  m_bytes.insert(m_bytes.end(), std::make_move_iterator(ranked.begin()),
                 std::make_move_iterator(ranked.end()));
  indexBytes();
  m_merges = derivedMerges(
      m_ids, [](std::int32_t id) { return std::optional<std::uint32_t>(static_cast<std::uint32_t>(id)); });
}

void BytePair::indexBytes() {
  m_ids.reserve(m_bytes.size());
  for (std::size_t i = 0; i < m_bytes.size(); ++i) {
    const std::string& bytes = m_bytes[i];
    const auto id = static_cast<std::int32_t>(i);
    if (!bytes.empty()) m_ids.emplace(bytes, id);
    if (bytes.size() == 1) m_byteIds[static_cast<unsigned char>(bytes[0])] = id;
  }
}

std::vector<Symbol> BytePair::symbolsOf(std::string_view piece, bool& complete) const {
  std::vector<Symbol> symbols;
  symbols.reserve(piece.size());
  complete = true;
  bool lastUnknown = false;
  for (const char letter : piece) {
    const auto byte = static_cast<unsigned char>(letter);
    const auto length = static_cast<std::uint32_t>(byteLevelLength(byte));
    std::int32_t id = m_byteIds[byte];
    const bool unknown = id < 0;
    if (unknown && !m_unknown) {
      complete = false;
      continue;
    }
    if (unknown && lastUnknown && m_fuseUnknown) {
      symbols.back().length += length;
      ++symbols.back().bytes;
      continue;
    }
    if (unknown) id = *m_unknown;
    lastUnknown = unknown;
    appendSymbol(symbols, id, 1, length);
  }
  return symbols;
}

void BytePair::encode(std::string_view piece, std::vector<PieceToken>& tokens, TextLimits& limits) const {
  if (m_ignoreMerges && appendWhole(piece, m_ids, tokens)) return;
  bool complete = true;
  std::vector<Symbol> symbols = symbolsOf(piece, complete);
  mergeSymbols(symbols, m_merges, limits);
  std::vector<std::uint32_t> lengths;
  const std::size_t firstToken = tokens.size();
  std::uint32_t begin = 0;
  for (const Symbol& symbol : symbols) {
    if (symbol.bytes == 0) continue;
    tokens.push_back({symbol.id, begin, begin + symbol.bytes});
    begin += symbol.bytes;
    if (!complete) lengths.push_back(symbol.length);
  }
  if (!complete) offsetsWithGaps(piece, lengths, tokens, firstToken);
}

CharPair::CharPair(const BytePairVocabulary& vocabulary)
    : m_merges(0),
      m_ignoreMerges(vocabulary.ignoreMerges),
      m_byteFallback(vocabulary.byteFallback),
      m_fuseUnknown(vocabulary.fuseUnknown),
      m_unknown(vocabulary.unknown) {
  m_unknownToken = m_unknown.value_or(-1);
  const VocabularyIds ids(vocabulary.tokens, vocabulary.file);
  m_merges = ids.merges(vocabulary.merges);
  m_bytes.resize(ids.space());
  m_texts.resize(ids.space());
  for (const auto& [text, id] : vocabulary.tokens) {
    m_texts[static_cast<std::size_t>(id)] = text;
    m_bytes[static_cast<std::size_t>(id)] = bytesOfCharacterToken(text);
  }
  m_ids.reserve(m_texts.size());
  for (std::size_t i = 0; i < m_texts.size(); ++i) {
    const std::string& text = m_texts[i];
    if (text.empty()) continue;
    const auto id = static_cast<std::int32_t>(i);
    m_ids.emplace(text, id);
    if (const auto byte = byteOfToken(text)) m_byteTokens[*byte] = id;
    std::size_t end = 0;
    const char32_t first = nextCodePoint(text, end);
    if (end == text.size()) m_boundaries.addKnown(first);
  }
  for (const auto& [left, right] : vocabulary.merges) m_boundaries.addToken(left + right);
  const bool allBytes = m_byteFallback && std::ranges::find(m_byteTokens, -1) == m_byteTokens.end();
  m_leavesOut = !m_unknown && !allBytes;
}

std::string CharPair::name() const {
  return m_byteFallback ? "BPE with byte fallback" : "BPE";
}

// Appends the byte tokens of a character; false when a byte has no token.
bool CharPair::appendBytes(std::string_view character, std::vector<Symbol>& symbols) const {
  const auto tokenOf = [&](char byte) { return m_byteTokens[static_cast<unsigned char>(byte)]; };
  if (std::ranges::any_of(character, [&](char byte) { return tokenOf(byte) < 0; })) return false;
  for (const char byte : character) appendSymbol(symbols, tokenOf(byte), 1, 1);
  return true;
}

// Unknown characters not yet appended. Like the reference library, appends their token only before the next
// known character or at the end, after byte tokens in between.
struct CharPair::Pending {
  std::uint32_t bytes = 0;
  void flush(std::int32_t id, std::vector<Symbol>& symbols) {
    if (bytes > 0) appendSymbol(symbols, id, bytes, bytes);
    bytes = 0;
  }
};

std::vector<Symbol> CharPair::symbolsOf(std::string_view piece) const {
  std::vector<Symbol> symbols;
  symbols.reserve(piece.size());
  Pending unknown;
  for (std::size_t position = 0; position < piece.size();) {
    const std::size_t begin = position;
    nextCodePoint(piece, position);
    const std::string_view character = piece.substr(begin, position - begin);
    const auto length = static_cast<std::uint32_t>(character.size());
    const auto known = m_ids.find(character);
    if (known != m_ids.end()) {
      if (m_unknown) unknown.flush(*m_unknown, symbols);
      appendSymbol(symbols, known->second, length, length);
    } else if (!(m_byteFallback && appendBytes(character, symbols)) && m_unknown) {
      if (!m_fuseUnknown) unknown.flush(*m_unknown, symbols);
      unknown.bytes += length;
    }
  }
  if (m_unknown) unknown.flush(*m_unknown, symbols);
  return symbols;
}

// Offsets count from the start of the piece even when characters were left out.
void CharPair::encode(std::string_view piece, std::vector<PieceToken>& tokens, TextLimits& limits) const {
  if (m_ignoreMerges && appendWhole(piece, m_ids, tokens)) return;
  std::vector<Symbol> symbols = symbolsOf(piece);
  mergeSymbols(symbols, m_merges, limits);
  std::uint32_t begin = 0;
  for (const Symbol& symbol : symbols) {
    if (symbol.bytes == 0) continue;
    tokens.push_back({symbol.id, begin, begin + symbol.bytes});
    begin += symbol.bytes;
  }
}

void CharPair::cut(std::string_view piece, std::vector<std::size_t>& ends) const {
  if (m_ignoreMerges || m_leavesOut) {
    ends.push_back(piece.size());
  } else {
    m_boundaries.cut(piece, ends);
  }
}

}  // namespace plastiscope
