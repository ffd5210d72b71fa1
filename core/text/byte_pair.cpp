#include "core/text/byte_pair.h"

#include <iterator>

#include "core/text/byte_level.h"
#include "core/text/implied_merges.h"

namespace plastiscope {

namespace {

// Offsets of tokens after bytes were left out. The reference library then counts the lengths of what is left
// from the start of the piece, in its own spelling of the bytes; the result covers the bytes found there.
void offsetsWithGaps(std::string_view piece, const std::vector<std::uint32_t>& lengths,
                     std::vector<PieceToken>& tokens, std::size_t firstToken) {
  std::vector<std::uint32_t> byteAt;  // of each position in that spelling
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

}  // namespace

BytePair::BytePair(const BytePairVocabulary& vocabulary)
    : m_byteIds(256, -1),
      m_merges(0),
      m_ignoreMerges(vocabulary.ignoreMerges),
      m_fuseUnknown(vocabulary.fuseUnknown),
      m_unknown(vocabulary.unknown) {
  const VocabularyIds ids(vocabulary.tokens, vocabulary.file);
  m_merges = ids.merges(vocabulary.merges);
  m_bytes.resize(ids.space());
  for (const auto& [text, id] : vocabulary.tokens) {
    if (auto bytes = bytesOfByteLevelText(text)) m_bytes[static_cast<std::size_t>(id)] = std::move(*bytes);
  }
  indexBytes();
}

BytePair::BytePair(std::vector<std::string> ranked, std::int32_t firstId)
    : m_bytes(static_cast<std::size_t>(firstId)),
      m_byteIds(256, -1),
      m_merges(0),
      m_ignoreMerges(true),
      m_fuseUnknown(false) {
  m_bytes.insert(m_bytes.end(), std::make_move_iterator(ranked.begin()),
                 std::make_move_iterator(ranked.end()));
  indexBytes();
  m_merges = impliedMerges(
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

std::string_view BytePair::tokenBytes(std::int32_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= m_bytes.size()) return {};
  return m_bytes[static_cast<std::size_t>(id)];
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
  if (m_ignoreMerges) {
    const auto whole = m_ids.find(piece);
    if (whole != m_ids.end()) {
      tokens.push_back({whole->second, 0, static_cast<std::uint32_t>(piece.size())});
      return;
    }
  }
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

}  // namespace plastiscope
