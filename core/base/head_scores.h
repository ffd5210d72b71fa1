#pragma once
// Attention scores of a head as sums over the evaluated queries of a text (method.md, Head scores).
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace plastiscope {

enum class HeadScore { Entropy, Distance, FirstToken, Recent, PreviousToken, Induction, DuplicateToken };
// In stored files: only append.
constexpr std::array<const char*, 7> namesOf(HeadScore) {
  return {"entropy", "distance", "first_token", "recent", "previous_token", "induction", "duplicate_token"};
}
inline constexpr std::size_t kHeadScores = namesOf(HeadScore()).size();
constexpr std::size_t indexOf(HeadScore score) {
  return static_cast<std::size_t>(score);
}

// Tokens up to a query, itself included, that count as recent.
inline constexpr std::int64_t kRecentTokens = 64;

using ScoreSums = std::array<double, kHeadScores>;

// Evaluated queries, and those of them that the last two scores are means over: their token occurred before
// the previous position, or anywhere before.
struct ScoredQueries {
  std::int32_t all = 0, induction = 0, duplicate = 0;
  std::int32_t of(HeadScore score) const {
    return score == HeadScore::Induction ? induction : score == HeadScore::DuplicateToken ? duplicate : all;
  }
};

inline constexpr std::size_t kScoreCounts = sizeof(ScoredQueries) / sizeof(std::int32_t);

// The scores of one text in one layer.
struct TextScores {
  ScoredQueries queries;
  std::vector<ScoreSums> heads;  // captured query heads, ascending
  std::vector<std::int32_t> topKeys = {};  // [heads][queries] position of the most attended key, if wanted
};

}  // namespace plastiscope
