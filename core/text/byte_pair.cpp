#include "core/text/byte_pair.h"

#include <algorithm>
#include <queue>

#include "core/base/error.h"
#include "core/text/byte_level.h"

namespace plastiscope {

// A node of the linked list of symbols; no bytes = merged into its left neighbour.
struct BytePair::Symbol {
  std::int32_t id;
  std::int32_t previous, next;  // indices, -1 = none
  std::uint32_t bytes;
  std::uint32_t length;  // of the bytes' characters in UTF-8, see offsetsWithGaps
};

namespace {

constexpr std::int32_t kMostIds = 4'000'000;

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

std::size_t spaceForIds(const BytePairVocabulary& vocabulary) {
  std::int32_t last = -1;
  for (const auto& [text, id] : vocabulary.tokens) {
    if (id < 0 || id >= kMostIds) {
      throw InputError({vocabulary.file, "vocabulary entry " + quoted(text),
                        "an id from 0 to " + withCommas(kMostIds - 1), std::to_string(id)});
    }
    last = std::max(last, id);
  }
  return static_cast<std::size_t>(last + 1);
}

// A possible merge at the symbol `position`; the best rank first, the leftmost among equals.
struct Candidate {
  std::uint32_t rank;
  std::int32_t position, result;
  bool operator>(const Candidate& other) const {
    return rank != other.rank ? rank > other.rank : position > other.position;
  }
};
using Queue = std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>;

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
    : m_bytes(spaceForIds(vocabulary)),
      m_byteIds(256, -1),
      m_merges(vocabulary.merges.size()),
      m_ignoreMerges(vocabulary.ignoreMerges),
      m_fuseUnknown(vocabulary.fuseUnknown),
      m_unknown(vocabulary.unknown) {
  std::unordered_map<std::string_view, std::int32_t> idOfText;
  std::vector<bool> used(m_bytes.size());
  for (const auto& [text, id] : vocabulary.tokens) {
    const auto index = static_cast<std::size_t>(id);
    if (used[index]) {
      throw InputError({vocabulary.file, "vocabulary entry " + quoted(text), "an id of its own",
                        std::to_string(id) + ", which another entry has"});
    }
    used[index] = true;
    idOfText.emplace(text, id);
    if (auto bytes = bytesOfByteLevelText(text)) m_bytes[index] = std::move(*bytes);
  }
  for (const auto& [text, id] : vocabulary.tokens) {
    const std::string& bytes = m_bytes[static_cast<std::size_t>(id)];
    if (!bytes.empty()) m_ids.emplace(bytes, id);
    if (bytes.size() == 1) m_byteIds[static_cast<unsigned char>(bytes[0])] = id;
  }
  std::uint32_t rank = 0;
  for (const auto& [left, right] : vocabulary.merges) {
    const auto idOf = [&](const std::string& text) {
      const auto found = idOfText.find(text);
      if (found != idOfText.end()) return found->second;
      throw InputError({vocabulary.file, "merge " + withCommas(rank + 1) + " (" + left + " " + right + ")",
                        "tokens of the vocabulary", quoted(text) + ", which is not in it"});
    };
    const std::int32_t leftId = idOf(left), rightId = idOf(right);
    m_merges.set(leftId, rightId, {rank++, idOf(left + right)});
  }
}

std::string_view BytePair::tokenBytes(std::int32_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= m_bytes.size()) return {};
  return m_bytes[static_cast<std::size_t>(id)];
}

std::vector<BytePair::Symbol> BytePair::symbolsOf(std::string_view piece, bool& complete) const {
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
    const auto index = static_cast<std::int32_t>(symbols.size());
    if (index > 0) symbols.back().next = index;
    symbols.push_back({id, index - 1, -1, 1, length});
  }
  return symbols;
}

void BytePair::mergeAll(std::vector<Symbol>& symbols) const {
  Queue queue;
  const auto offer = [&](std::int32_t left) {
    if (left < 0 || symbols[static_cast<std::size_t>(left)].next < 0) return;
    const Symbol& symbol = symbols[static_cast<std::size_t>(left)];
    const Merge* merge = m_merges.get(symbol.id, symbols[static_cast<std::size_t>(symbol.next)].id);
    if (merge != nullptr) queue.push({merge->rank, left, merge->result});
  };
  for (std::size_t i = 0; i + 1 < symbols.size(); ++i) offer(static_cast<std::int32_t>(i));
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Symbol& left = symbols[static_cast<std::size_t>(best.position)];
    if (left.bytes == 0 || left.next < 0) continue;
    Symbol& right = symbols[static_cast<std::size_t>(left.next)];
    const Merge* merge = m_merges.get(left.id, right.id);
    if (merge == nullptr || merge->result != best.result) continue;  // a neighbour has changed since
    left.id = best.result;
    left.bytes += right.bytes;
    left.length += right.length;
    left.next = right.next;
    right.bytes = 0;
    if (left.next >= 0) symbols[static_cast<std::size_t>(left.next)].previous = best.position;
    offer(left.previous);
    offer(best.position);
  }
}

void BytePair::encode(std::string_view piece, std::vector<PieceToken>& tokens) const {
  if (m_ignoreMerges) {
    const auto whole = m_ids.find(piece);
    if (whole != m_ids.end()) {
      tokens.push_back({whole->second, 0, static_cast<std::uint32_t>(piece.size())});
      return;
    }
  }
  bool complete = true;
  std::vector<Symbol> symbols = symbolsOf(piece, complete);
  mergeAll(symbols);
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
