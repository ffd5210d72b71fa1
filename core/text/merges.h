#pragma once
// Merging of neighbouring symbols, shared by all byte-pair encodings.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/text/text_limits.h"

namespace plastiscope {

// ---- Hash table from pairs of token ids to merges (open addressing, built once).

struct Merge {
  std::uint32_t rank = 0;
  std::int32_t result = 0;  // token id
};

class PairTable {
 public:
  explicit PairTable(std::size_t expected) {
    std::size_t size = 16;
    while (size < expected * 2) size *= 2;
    m_slots.resize(size);
  }

  // A later merge of the same pair replaces the earlier one, as in the `tokenizers` library.
  void set(std::int32_t left, std::int32_t right, Merge merge) {
    Slot& slot = m_slots[find(keyOf(left, right))];
    slot.key = keyOf(left, right);
    slot.merge = merge;
  }

  const Merge* get(std::int32_t left, std::int32_t right) const {
    const Slot& slot = m_slots[find(keyOf(left, right))];
    return slot.key == kEmpty ? nullptr : &slot.merge;
  }

 private:
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t key = kEmpty;
    Merge merge;
  };

  static std::uint64_t keyOf(std::int32_t left, std::int32_t right) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32) |
           static_cast<std::uint32_t>(right);
  }
  // The slot of the key, or the empty slot for it.
  std::size_t find(std::uint64_t key) const {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t index = ((key ^ (key >> 29)) * 0x9E3779B97F4A7C15u >> 20) & mask;
    while (m_slots[index].key != kEmpty && m_slots[index].key != key) index = (index + 1) & mask;
    return index;
  }

  std::vector<Slot> m_slots;
};

// ---- Checks of vocabularies with explicit ids and merges.

using TokenTexts = std::vector<std::pair<std::string, std::int32_t>>;
using MergeTexts = std::vector<std::pair<std::string, std::string>>;

class VocabularyIds {
 public:
  // `tokens` and `file` must outlive this object. InputError: an id out of range or duplicate.
  VocabularyIds(const TokenTexts& tokens, const std::filesystem::path& file);
  std::size_t space() const { return m_space; }  // one more than the largest id
  // Later merges of a pair replace earlier ones. InputError: a part or result that is not in the vocabulary.
  PairTable merges(const MergeTexts& merges) const;

 private:
  const std::filesystem::path& m_file;
  std::size_t m_space = 0;
  std::unordered_map<std::string_view, std::int32_t> m_idOfText;
};

// ---- Byte-pair merging: the best-ranked pair of neighbouring symbols merges first.

// Node of a linked list of symbols; bytes == 0: merged into its left neighbour.
struct Symbol {
  std::int32_t id;              // negative: never merges
  std::int32_t previous, next;  // indices, -1 = none
  std::uint32_t bytes;
  std::uint32_t length;  // of the same bytes as spelled in the vocabulary
};

// Appends a symbol to the list.
void appendSymbol(std::vector<Symbol>& symbols, std::int32_t id, std::uint32_t bytes, std::uint32_t length);
// O(n log n) in the number of symbols. Skips merges whose result is `forbidden`.
void mergeSymbols(std::vector<Symbol>& symbols, const PairTable& merges, TextLimits& limits,
                  std::int32_t forbidden = -1);

// ---- Merges for vocabularies without any: two symbols merge if their concatenation is a symbol, ordered by
// the rank of the result.

using SymbolIds = std::unordered_map<std::string_view, std::int32_t>;

// `rankOf(id)`: rank of merges with result `id`, or nothing if there are none.
template <typename RankOf>
PairTable derivedMerges(const SymbolIds& ids, RankOf rankOf) {
  struct Found {
    std::int32_t left, right;
    Merge merge;
  };
  std::vector<Found> found;
  for (const auto& [text, id] : ids) {
    const auto rank = rankOf(id);
    if (!rank) continue;
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
      const auto left = ids.find(text.substr(0, cut));
      if (left == ids.end()) continue;
      const auto right = ids.find(text.substr(cut));
      if (right != ids.end()) found.push_back({left->second, right->second, {*rank, id}});
    }
  }
  PairTable merges(found.size());
  for (const Found& each : found) merges.set(each.left, each.right, each.merge);
  return merges;
}

// ---- Positions where a text can be split without changing its tokens.

// Pairs of characters that occur side by side in some token. Two known characters that never do cannot be
// joined by a merge, so a long text can be split between them and encoded in parts.
class MergeBoundaries {
 public:
  MergeBoundaries() : m_known(0x110000), m_ascii(128 * 128) {}
  void addKnown(char32_t character) {
    if (character < m_known.size()) m_known[character] = true;
  }
  void addToken(std::string_view text);  // adds every pair inside

  // Appends the ends of the parts of `text`.
  void cut(std::string_view text, std::vector<std::size_t>& ends) const;

 private:
  bool joined(char32_t left, char32_t right) const;

  std::vector<bool> m_known, m_ascii;
  std::unordered_set<std::uint64_t> m_pairs;
};

}  // namespace plastiscope
