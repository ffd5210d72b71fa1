#pragma once
// Keys that the queries of a head attend to, by place in the text, type, distance and token,
// over the fifths of the window; entropy, sink and parts of the scores; queries where it acts as usual and
// where not. core/jobs/attended_job.h makes it from the rows of a capture.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/attended_keys.h"
#include "core/analysis/row_choice.h"
#include "core/base/table.h"
#include "core/capture/head_list.h"
#include "core/views/token_text.h"

namespace plastiscope {

// --- Classes of keys

struct KeyClass {
  std::string name, title;
  std::string phrase;  // "Puts 41 % of its attention on ..."
  std::string rule;    // "" = obvious
};
// By place in the text: a key belongs to the first class whose rule holds. By type: the types of tokens
// (token_types.h) and special tokens.
const std::vector<KeyClass>& keyPlaces();
const std::vector<KeyClass>& keyTypes();
KeyClass keyDistance(std::size_t distanceClass);
KeyClass keyToken(const std::string& token);  // the bytes of a token
// [tokens] Place or type of each token of a text, given the bytes of all.
std::vector<std::int32_t> keyPlacesOf(std::span<const std::string> tokens);
std::vector<std::int32_t> keyTypesOf(std::span<const std::string> tokens);
// Display form of a token in quotes, shortened, a run of spaces as its number: "“↵[33 spaces]”".
std::string tokenTitle(const std::string& shown);

// Parts of the view: those of KeyGrouping come first.
enum class AttendedPart { Place, Type, Distance, Token, Measures, Queries };
constexpr std::array<const char*, 6> namesOf(AttendedPart) {
  return {"place", "type", "distance", "token", "measures", "queries"};
}

// --- Data

// Index 0: all queries; then the fifths of the window.
template <typename Value>
using ByFifth = std::array<Value, kFifths + 1>;

// A mean over queries.
struct AttendedShare {
  MeanOverTexts value;     // attention, or another measure
  double keys = kMissing;  // mean share of the visible keys
  double top = kMissing;   // share of the queries that score one of these keys highest
  double excess() const { return value.value - keys; }
};
struct AttendedClass {
  KeyClass key;
  ByFifth<AttendedShare> share;
};
// Entropy (/ ln of the visible keys) and attention to the first token in a step of the window.
struct AttendedStep {
  double from = 0, to = 0;  // tokens
  std::int64_t queries = 0;
  MeanOverTexts entropy, first;
};
struct AttendedExample {
  AttendedQuery query;
  RowText words;              // around the query; empty without texts
  std::vector<RowText> keys;  // [strongest]
};

struct AttendedData {
  HeadName head;
  RowChoice choice;    // queries that count
  bool dense = false;  // exact softmax; else over the captured keys
  std::int64_t window = 0, texts = 0;
  std::vector<std::string> exampleIds;
  ByFifth<std::int64_t> queries{};  // evaluated
  // Classes by grouping. Place, type, distance: all that some query sees; token: the ones with the most
  // attention, highest first.
  std::array<std::vector<AttendedClass>, kKeyGroupings> groups;
  // entropy (nats), relative_entropy (/ ln of the visible keys), first_token (attention to it where it is
  // known), score_a, score_b, score_rest (shares of the variance of the scores over keys)
  std::vector<AttendedClass> measures;
  std::vector<AttendedStep> steps;                  // [kAttendedSteps]; empty for fewer than 5 queries a step
  std::vector<AttendedExample> typical, untypical;  // most first
  static constexpr std::size_t kTokens = 8, kExamples = 10;
  const std::vector<AttendedClass>& of(KeyGrouping which) const {
    return groups[static_cast<std::size_t>(which)];
  }
};

// "14 texts · 1,301 captured queries (token types number), captured keys only"
std::string scopeText(const AttendedData& data);
// "Puts 41 % of its attention on the first token (0.1 % of the keys). Late queries (last fifth) put 52 % on
// the first token, early ones 22 %.": the class by place, type or distance with the largest difference
// between its shares of attention and of keys, at least 0.1, and the one
// where both its attention and that difference rise, or both fall, most, by at least 0.1.
std::string attendedSentence(const AttendedData& data);

// grouping (place, type, distance, token, measure), class, fifth (all | 1 ... 5), queries, value with its
// interval, keys, top
Table attendedTable(const AttendedData& data);
// step, from, to, queries, then relative_entropy and first_token with their intervals
Table attendedSteps(const AttendedData& data);
// agreement (high | low), text, position, value, before, token, after, strongest keys
Table attendedQueries(const AttendedData& data);

}  // namespace plastiscope
