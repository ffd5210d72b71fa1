#pragma once
// Byte-pair encoding over bytes (byte-level BPE).
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/text/pair_table.h"
#include "core/text/piece_model.h"

namespace plastiscope {

struct BytePairVocabulary {
  std::filesystem::path file;  // for messages
  // Texts are written in the byte-level alphabet. Ids need not be dense.
  std::vector<std::pair<std::string, std::int32_t>> tokens;
  std::vector<std::pair<std::string, std::string>> merges;  // the first ranks best
  bool ignoreMerges = false;            // a piece that is a token of the vocabulary stays whole
  std::optional<std::int32_t> unknown;  // for bytes without a token; else they are left out
  bool fuseUnknown = false;             // one unknown token for neighbouring such bytes
};

class BytePair : public PieceModel {
 public:
  // InputError: a merge whose parts or result are not in the vocabulary, an id out of range or used twice.
  explicit BytePair(const BytePairVocabulary& vocabulary);
  BytePair(const BytePair&) = delete;
  BytePair& operator=(const BytePair&) = delete;

  void encode(std::string_view piece, std::vector<PieceToken>& tokens) const override;
  std::string_view tokenBytes(std::int32_t id) const override;
  std::string name() const override { return "byte-level BPE"; }

 private:
  struct Symbol;
  std::vector<Symbol> symbolsOf(std::string_view piece, bool& complete) const;
  void mergeAll(std::vector<Symbol>& symbols) const;

  std::vector<std::string> m_bytes;  // of each id
  std::unordered_map<std::string_view, std::int32_t> m_ids;
  std::vector<std::int32_t> m_byteIds;  // [256], -1 = none
  PairTable m_merges;
  bool m_ignoreMerges, m_fuseUnknown;
  std::optional<std::int32_t> m_unknown;
};

}  // namespace plastiscope
