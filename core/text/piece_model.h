#pragma once
// A vocabulary that turns one piece of text into tokens.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plastiscope {

struct PieceToken {
  std::int32_t id = 0;
  std::uint32_t begin = 0, end = 0;  // bytes of the piece
};

class PieceModel {
 public:
  virtual ~PieceModel() = default;
  // Appends the tokens of `piece`.
  virtual void encode(std::string_view piece, std::vector<PieceToken>& tokens) const = 0;
  // The bytes of a token of the model's own vocabulary; "" for other ids.
  virtual std::string_view tokenBytes(std::int32_t id) const = 0;
  virtual std::string name() const = 0;  // "byte-level BPE"
};

}  // namespace plastiscope
