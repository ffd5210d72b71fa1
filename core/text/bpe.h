#pragma once
// The byte-pair encodings: over bytes, and over characters.
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/text/byte_spellings.h"
#include "core/text/merges.h"
#include "core/text/piece_model.h"

namespace plastiscope {

// ---- Byte-pair encoding over bytes (byte-level BPE).

// A vocabulary with merges, as tokenizer.json and GGUF files write it.
struct BytePairVocabulary {
  std::filesystem::path file;  // for messages
  // Texts are written in the byte-level alphabet. Ids need not be dense.
  TokenTexts tokens;
  MergeTexts merges;                    // the first ranks best
  bool ignoreMerges = false;            // a piece that is a token of the vocabulary stays whole
  std::optional<std::int32_t> unknown;  // for bytes without a token; else they are left out
  bool fuseUnknown = false;             // one unknown token for neighbouring such bytes
};

class BytePair : public PieceModel {
 public:
  // InputError: a merge whose parts or result are not in the vocabulary, an id out of range or used twice.
  explicit BytePair(const BytePairVocabulary& vocabulary);
  // Bytes of tokens in the order of their ranks, whose ids start at `firstId`, without merges (tiktoken).
  BytePair(std::vector<std::string> ranked, std::int32_t firstId);
  BytePair(const BytePair&) = delete;
  BytePair& operator=(const BytePair&) = delete;

  void encode(std::string_view piece, std::vector<PieceToken>& tokens, TextLimits& limits) const override;
  std::string_view tokenBytes(std::int32_t id) const override;
  std::string name() const override { return "byte-level BPE"; }
  bool isByteLevel() const override { return true; }

 private:
  std::vector<Symbol> symbolsOf(std::string_view piece, bool& complete) const;
  void indexBytes();

  std::vector<std::string> m_bytes;  // of each id
  std::unordered_map<std::string_view, std::int32_t> m_ids;
  std::vector<std::int32_t> m_byteIds;  // [256], -1 = none
  PairTable m_merges;
  bool m_ignoreMerges, m_fuseUnknown;
  std::optional<std::int32_t> m_unknown;
};

// ---- Byte-pair encoding over characters, as tokenizer.json has it for vocabularies that come from
// SentencePiece.

struct CharPairVocabulary {
  std::filesystem::path file;           // for messages
  TokenTexts tokens;                    // ids need not be dense
  MergeTexts merges;                    // the first ranks best
  bool ignoreMerges = false;            // a piece that is a token of the vocabulary stays whole
  bool byteFallback = false;            // a character without a token becomes the tokens of its bytes
  std::optional<std::int32_t> unknown;  // else for such a character; without it, it is left out
  bool fuseUnknown = false;             // one unknown token for neighbouring characters
};

class CharPair : public PieceModel {
 public:
  // InputError as for BytePair.
  explicit CharPair(const CharPairVocabulary& vocabulary);
  CharPair(const CharPair&) = delete;
  CharPair& operator=(const CharPair&) = delete;

  void encode(std::string_view piece, std::vector<PieceToken>& tokens, TextLimits& limits) const override;
  void cut(std::string_view piece, std::vector<std::size_t>& ends) const override;
  std::string_view tokenBytes(std::int32_t id) const override;
  std::string name() const override;

 private:
  struct Pending;  // unknown characters that are not symbols yet
  std::vector<Symbol> symbolsOf(std::string_view piece) const;
  bool appendBytes(std::string_view character, std::vector<Symbol>& symbols) const;

  std::vector<std::string> m_bytes;  // that each id stands for
  std::vector<std::string> m_texts;  // of each id; m_ids looks into them
  std::unordered_map<std::string_view, std::int32_t> m_ids;
  ByteTokens m_byteTokens;
  PairTable m_merges;
  MergeBoundaries m_boundaries;
  bool m_ignoreMerges, m_byteFallback, m_fuseUnknown, m_leavesOut = false;
  std::optional<std::int32_t> m_unknown;
};

}  // namespace plastiscope
