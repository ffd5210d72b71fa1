#pragma once
// A text of a capture as a document: its display tokens, the values of a head at each, and the scores of one
// captured query with the keys before it (all keys where the head was captured at every position).
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/query_or_key.h"
#include "core/views/study_facts.h"

namespace plastiscope {

struct RowPlasticities;

struct TextDocument {
  std::string id;  // id of the example
  // [tokens] valid UTF-8 with signs for line breaks. A character split between tokens is shown by the first
  // of them. Tokens without a visible character have labels.
  std::vector<std::string> tokens;
  std::vector<bool> endsParagraph;   // [tokens] an empty line follows
  std::set<std::size_t> labelled{};  // tokens shown by a label that is not part of the text
  std::size_t size() const { return tokens.size(); }
};

// `tokens`: the bytes of every token of the example (CaptureFile::tokenTexts).
TextDocument makeTextDocument(std::string id, std::span<const std::string> tokens);
// Message for a document without tokens.
inline constexpr const char* kNoWords =
    "This capture does not hold the words of its texts: it was made from token ids, or with --no-texts";
// Inclusive range of tokens.
struct TokenSpan {
  std::int64_t first = 0, last = 0;
  bool operator==(const TokenSpan&) const = default;
};
// Token spans that contain the words, ascending: ignores ASCII case, and any white space matches between
// words.
std::vector<TokenSpan> findWords(const TextDocument& text, std::string_view words);

// Quantity that colours the tokens.
enum class TokenMeasure { A, B, Norm, Plasticity, Score, Weight };
constexpr std::array<const char*, 6> namesOf(TokenMeasure) {
  return {"a", "b", "norm", "PP", "score", "weight"};
}
// Values of keys for a chosen query.
constexpr bool isOfQuery(TokenMeasure measure) {
  return measure == TokenMeasure::Score || measure == TokenMeasure::Weight;
}
struct TokenMeasureInfo {
  TokenMeasure measure;
  const char *title, *help;  // rich text
};
std::span<const TokenMeasureInfo> tokenMeasures();

// Rows of one kind in one example, ascending by position: the captured ones; for a head captured at every
// position, all.
struct TokenRows {
  std::vector<std::int64_t> row;       // index into CaptureFile::rows(); -1: not sampled
  std::vector<std::int32_t> position;  // 0-based token index
  std::vector<float> a, b, norm;       // [rows] activation units; NaN where not finite
  // [rows] 0..1; logits; 0..1: NaN until they are added
  std::vector<float> pp, score, weight;
  const std::vector<float>& values(TokenMeasure measure) const;
  // Index of the row at a position, or nullopt.
  std::optional<std::size_t> at(std::int64_t position) const;
};

// Rows of a head in one example, without the vectors.
struct HeadText {
  HeadName head;
  std::int64_t example = 0;
  TokenRows query, key;
  std::optional<std::int64_t> scoredBy;  // position of the query whose scores the keys have
  std::vector<std::int64_t> strongest;   // positions of the keys that it scores highest, the highest first
  std::string missing;                   // why there are no rows; empty when there are
  const TokenRows& rows(QueryOrKey kind) const { return kind == QueryOrKey::Query ? query : key; }
};
// Needs the tables heads and axes and the capture; without an axis or a capture, `missing` has the reason.
HeadText makeHeadText(const Study& study, HeadName head, std::int64_t example);

// Adds values that are computed separately for the rows of this text.
void addPlasticity(HeadText& text, const RowPlasticities& rows);
struct QueryScores;
void addScores(HeadText& text, const QueryScores& scores);

// [tokens] value that colours each token: its own, or the mean of at most `reach` rows on each side; NaN
// without any.
std::vector<float> tokenValues(const TokenRows& rows, TokenMeasure measure, std::int64_t tokens,
                               std::size_t reach = 2);
// The range of the middle 98 % of the rows' values, for a colour scale; low < high.
std::pair<double, double> valueRange(const TokenRows& rows, TokenMeasure measure);

// q . k of one query with one key, logits (times the model's score scale), and its three parts: q_a k_a on
// the position axis, q_b k_b on the separation axis, and the rest.
struct ScoredKey {
  std::int64_t row = 0;  // index into CaptureFile::rows() of the sampled keys; -1: not sampled
  std::int64_t position = 0;
  double score = kMissing, a = kMissing, b = kMissing, rest = kMissing;
  double weight = kMissing;  // of attention; only where all keys are known (attention_data.h), 0 out of sight
};

struct TokenPlace {
  std::int64_t example = 0, position = 0;
  bool operator==(const TokenPlace&) const = default;
};
// A query of a head: its index into CaptureFile::rows() or, for a head captured at every position, any token.
using QueryChoice = std::variant<std::int64_t, TokenPlace>;
bool isDenseHead(const Study& study, HeadName head);
// The captured query at a token; UsageError naming its neighbours where there is none.
QueryChoice queryAt(const Study& study, HeadName head, TokenPlace token);
// The last query of a text, which sees the most keys. UsageError without any.
QueryChoice lastQuery(const Study& study, HeadName head, std::int64_t example);

struct QueryScores {
  std::int64_t row = 0, position = 0, example = 0;  // indices of the query; row -1: not sampled
  bool everyKey = false;                            // keys holds every position
  std::vector<ScoredKey> keys;               // keys of its example up to its position; ascending by position
  ScoredKey mean;                            // over those keys; row and position are unused
  static constexpr std::size_t kMarked = 8;  // number of strongest keys marked in texts and plots
  // Indices into `keys` of the highest scores, highest first.
  std::vector<std::size_t> strongest(std::size_t count) const;
};
// InputError as CaptureFile::rows; UsageError for a head or a token that was not captured, or a row beyond
// the last one.
QueryScores makeQueryScores(const Study& study, HeadName head, const QueryChoice& query);

}  // namespace plastiscope
