#pragma once
// Byte-pair encoding over characters, as tokenizer.json has it for vocabularies that come from SentencePiece.
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/text/byte_tokens.h"
#include "core/text/char_joints.h"
#include "core/text/piece_model.h"
#include "core/text/symbol_merger.h"
#include "core/text/vocabulary_ids.h"

namespace plastiscope {

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
  CharJoints m_joints;
  bool m_ignoreMerges, m_byteFallback, m_fuseUnknown, m_leavesOut = false;
  std::optional<std::int32_t> m_unknown;
};

}  // namespace plastiscope
