#pragma once
// A vocabulary that turns one piece of text into tokens.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/byte_spellings.h"
#include "core/text/text_limits.h"

namespace plastiscope {

struct PieceToken {
  std::int32_t id = 0;
  std::uint32_t begin = 0, end = 0;  // bytes of the piece; may be empty
};

class PieceModel {
 public:
  virtual ~PieceModel() = default;
  // Appends the tokens of `piece`.
  virtual void encode(std::string_view piece, std::vector<PieceToken>& tokens, TextLimits& limits) const = 0;
  // Appends the ends of parts of `piece` (not empty) that have the same tokens when encoded one by one. Long
  // pieces become short ones that way, many of them alike.
  virtual void cut(std::string_view piece, std::vector<std::size_t>& ends) const {
    ends.push_back(piece.size());
  }
  // The bytes that a token of the model's own vocabulary stands for; "" for other ids.
  std::string_view tokenBytes(std::int32_t id) const {
    if (id < 0 || static_cast<std::size_t>(id) >= m_bytes.size()) return {};
    return m_bytes[static_cast<std::size_t>(id)];
  }
  // The token of what the vocabulary does not have; -1 = none.
  std::int32_t unknownToken() const { return m_unknownToken; }
  // "<0x00>" ... "<0xFF>", for the bytes of characters that have no token; -1 = none.
  const ByteTokens& byteTokens() const { return m_byteTokens; }
  virtual std::string name() const = 0;  // "byte-level BPE"

 protected:
  PieceModel() : PieceModel(0) {}
  explicit PieceModel(std::size_t ids) : m_bytes(ids) { m_byteTokens.fill(-1); }

  std::vector<std::string> m_bytes;  // that each id stands for
  std::int32_t m_unknownToken = -1;
  ByteTokens m_byteTokens;
};

}  // namespace plastiscope
