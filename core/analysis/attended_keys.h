#pragma once
// Where the queries of a head put their attention: shares of the softmax by groups of keys and fifth of the
// window, its entropy, and how the scores split (method.md, What a head looks at).
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/attention_scores.h"
#include "core/analysis/matrix.h"
#include "core/base/progress.h"

namespace plastiscope {

inline constexpr std::size_t kFifths = 5;          // of the window
inline constexpr std::size_t kScoreParts = 3;      // a, b, rest
inline constexpr std::size_t kAttendedSteps = 20;  // of the window, for entropy and first token

// The fifth of the window, from 0, that holds a position.
std::size_t fifthOf(std::int64_t position, std::int64_t window);
// 0: the query itself, 1: the token before it, then 2-3, 4-7, ... tokens back.
std::size_t distanceClass(std::int64_t distance);

enum class KeyGrouping { Place, Type, Distance, Token };
constexpr std::array<const char*, 4> namesOf(KeyGrouping) {
  return {"place", "type", "distance", "token"};
}
inline constexpr std::size_t kKeyGroupings = namesOf(KeyGrouping()).size(), kKeyTypes = 7;

// Rows of one text, ascending by position.
struct AttendedRows {
  std::int64_t text = 0, window = 0;                     // number of the text; tokens of the capture
  Matrix queries;                                        // [queries, head_dim]
  std::vector<float> keys;                               // [keys, head_dim]
  std::vector<std::int64_t> queryPosition, keyPosition;  // [queries], [keys]
  std::vector<std::int32_t> place, type, token;          // [keys] classes, from 0; type < kKeyTypes
  std::span<const double> a, b;                          // axes, [head_dim]; empty: not known
};

// Sums over queries.
struct AttendedKeySums {
  double attention = 0, keys = 0, top = 0;  // softmax; share of the visible keys; highest score
};
struct AttendedSums {
  std::array<std::int64_t, kFifths> queries{};
  std::array<std::vector<std::array<AttendedKeySums, kFifths>>, kKeyGroupings>
      groups;                                                       // [grouping][class][fifth]
  std::array<RunningMean, kFifths> entropy, relative;               // nats; / ln(visible keys)
  std::array<RunningMean, kFifths> first;                           // attention to the first token, if known
  std::array<std::array<double, kScoreParts>, kFifths> variance{};  // of the parts, over keys
  std::array<RunningMean, kAttendedSteps> relativeSteps, firstSteps;  // as above
};

struct WeightedKey {
  std::int64_t position = 0;
  double weight = 0;
};
// An evaluated query.
struct AttendedQuery {
  std::int64_t text = 0, position = 0, keys = 0;  // number of visible keys
  std::vector<WeightedKey> strongest;             // at most three, the strongest first
  std::vector<float> profile;                     // attention by type and distance
  double agreement = kMissing;                    // with the mean profile of its fifth
};

// Adds the softmax of each query over the known keys that it sees, if at least two, to `sums`, and the query
// to `queries`. Stopped.
void addAttended(const AttendedRows& rows, const AttentionScoreRule& rule, AttendedSums& sums,
                 std::vector<AttendedQuery>& queries, const Progress& progress);

// Sets the agreement of each query: the sum over types and distances of the smaller of its attention and
// the mean attention of the queries in its fifth; 0 to 1.
void setAgreement(std::vector<AttendedQuery>& queries, std::int64_t window);

// Mean over queries, with the jackknife's interval over groups of texts.
struct MeanOverTexts {
  double value = kMissing;
  Interval interval;  // 95 %; missing for fewer than two groups
};
MeanOverTexts meanOverTexts(std::span<const RunningMean> groups);

}  // namespace plastiscope
