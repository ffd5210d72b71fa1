#pragma once
// A vocabulary and its algorithm: encodes one piece of text as tokens.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/byte_spellings.h"
#include "core/text/text_limits.h"

namespace plastiscope {

struct PieceToken {
  std::int32_t id = 0;
  std::uint32_t begin = 0, end = 0;  // bytes of the piece; may be an empty range
};

class PieceModel {
 public:
  virtual ~PieceModel() = default;
  // Appends the tokens of `piece`.
  virtual void encode(std::string_view piece, std::vector<PieceToken>& tokens, TextLimits& limits) const = 0;
  // Splits `piece` (not empty) into parts that can be encoded separately with the same result, and appends
  // their ends. Short parts repeat often, so their tokens can be cached.
  virtual void cut(std::string_view piece, std::vector<std::size_t>& ends) const {
    ends.push_back(piece.size());
  }
  // The bytes of a token in the model's own vocabulary; "" for other ids.
  std::string_view tokenBytes(std::int32_t id) const {
    if (id < 0 || static_cast<std::size_t>(id) >= m_bytes.size()) return {};
    return m_bytes[static_cast<std::size_t>(id)];
  }
  // The token for unknown text, or -1.
  std::int32_t unknownToken() const { return m_unknownToken; }
  // "<0x00>" ... "<0xFF>", for the bytes of characters without a token, or -1.
  const ByteTokens& byteTokens() const { return m_byteTokens; }
  virtual std::string name() const = 0;  // "byte-level BPE"

 protected:
  PieceModel() : PieceModel(0) {}
  explicit PieceModel(std::size_t ids) : m_bytes(ids) { m_byteTokens.fill(-1); }

  std::vector<std::string> m_bytes;  // by id
  std::int32_t m_unknownToken = -1;
  ByteTokens m_byteTokens;
};

}  // namespace plastiscope
