#pragma once
// Byte-pair encoding over bytes and over characters.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/text/byte_spellings.h"
#include "core/text/merges.h"
#include "core/text/piece_model.h"

namespace plastiscope {

// A vocabulary with merges, as stored in tokenizer.json and GGUF files.
struct BytePairVocabulary {
  std::filesystem::path file;           // for messages
  TokenTexts tokens;                    // ids need not be dense
  MergeTexts merges;                    // best rank first
  bool ignoreMerges = false;            // a piece in the vocabulary is not split
  bool byteFallback = false;            // encode characters without a token as bytes
  std::optional<std::int32_t> unknown;  // for bytes or characters without a token; without
                                        // this one they are left out
  bool fuseUnknown = false;             // one unknown token for a run of them
};

// ---- Byte-level BPE. Texts are in the byte-level alphabet.

class BytePair : public PieceModel {
 public:
  // InputError: a merge whose parts or result are not in the vocabulary, an id out of range or duplicate.
  explicit BytePair(const BytePairVocabulary& vocabulary);
  // Token bytes in order of rank, with ids from `firstId` on, without merges (tiktoken).
  BytePair(std::vector<std::string> ranked, std::int32_t firstId);
  BytePair(const BytePair&) = delete;
  BytePair& operator=(const BytePair&) = delete;

  void encode(std::string_view piece, std::vector<PieceToken>& tokens, TextLimits& limits) const override;
  std::string name() const override { return "byte-level BPE"; }

 private:
  std::vector<Symbol> symbolsOf(std::string_view piece, bool& complete) const;
  void indexBytes();

  SymbolIds m_ids;
  std::vector<std::int32_t> m_byteIds;  // [256], -1 = none
  PairTable m_merges;
  bool m_ignoreMerges, m_fuseUnknown;
  std::optional<std::int32_t> m_unknown;
};

// ---- BPE over characters, as in tokenizer.json for vocabularies that come from SentencePiece.

class CharPair : public PieceModel {
 public:
  // InputError as for BytePair.
  explicit CharPair(const BytePairVocabulary& vocabulary);
  CharPair(const CharPair&) = delete;
  CharPair& operator=(const CharPair&) = delete;

  void encode(std::string_view piece, std::vector<PieceToken>& tokens, TextLimits& limits) const override;
  void cut(std::string_view piece, std::vector<std::size_t>& ends) const override;
  std::string name() const override;

 private:
  struct Pending;  // pending unknown characters
  std::vector<Symbol> symbolsOf(std::string_view piece) const;
  bool appendBytes(std::string_view character, std::vector<Symbol>& symbols) const;

  std::vector<std::string> m_texts;  // by id; m_ids refers to them
  SymbolIds m_ids;
  PairTable m_merges;
  MergeBoundaries m_boundaries;
  bool m_ignoreMerges, m_byteFallback, m_fuseUnknown, m_leavesOut = false;
  std::optional<std::int32_t> m_unknown;
};

}  // namespace plastiscope
