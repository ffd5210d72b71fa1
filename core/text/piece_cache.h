#pragma once
// Remembers the tokens of short pieces while one text is encoded: most words come again and again.
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/piece_model.h"

namespace plastiscope {

class PieceCache {
 public:
  PieceCache(const PieceModel& model, TextLimits& limits) : m_model(model), m_limits(limits) {}

  // The tokens of `piece`; valid until the next call.
  const std::vector<PieceToken>& tokens(std::string_view piece) {
    m_limits.step();
    if (piece.size() > kLongestPiece) return encoded(piece);
    const auto known = m_known.find(piece);
    if (known != m_known.end()) return known->second;
    encoded(piece);
    if (m_known.size() < kMostPieces) m_known.emplace(piece, m_tokens);
    return m_tokens;
  }

 private:
  static constexpr std::size_t kLongestPiece = 48, kMostPieces = 200'000;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  const std::vector<PieceToken>& encoded(std::string_view piece) {
    m_tokens.clear();
    m_model.encode(piece, m_tokens, m_limits);
    return m_tokens;
  }

  const PieceModel& m_model;
  TextLimits& m_limits;
  std::unordered_map<std::string, std::vector<PieceToken>, Hash, std::equal_to<>> m_known;
  std::vector<PieceToken> m_tokens;
};

}  // namespace plastiscope
