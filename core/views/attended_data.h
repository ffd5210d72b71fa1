#pragma once
// What a head looks at: the keys that its queries attend to, by place in the text, type, distance and token,
// over the fifths of the window; entropy, sink and parts of the scores; queries where it acts as usual and
// where not. core/jobs/attended_job.h makes it from the rows of a capture.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/attended_keys.h"
#include "core/base/table.h"
#include "core/capture/head_list.h"
#include "core/views/token_text.h"

namespace plastiscope {

// --- Classes of keys

struct KeyClass {
  const char *name, *title;
  const char* phrase;  // in a sentence: "puts 41 % on ..."
  const char* rule;
};
// By place in the text: a key belongs to the first class whose rule holds. By type: the types of tokens
// (token_types.h) and special tokens.
std::span<const KeyClass> keyPlaces();
std::span<const KeyClass> keyTypes();
// [tokens] Class of each token of a text, given the bytes of all.
std::vector<std::int32_t> keyPlacesOf(std::span<const std::string> tokens);
std::vector<std::int32_t> keyTypesOf(std::span<const std::string> tokens);
// The token in quotes, shortened; a run of spaces as its number: "“ the”", "“↵[33 spaces]”".
std::string tokenTitle(const std::string& shown);
// "itself", "previous token", "2–3 back"
std::string distanceTitle(std::size_t distanceClass);

// --- Choice

// Parts of the view.
enum class AttendedPart { Kinds, Distance, Tokens, Positions, Queries };
constexpr std::array<const char*, 5> namesOf(AttendedPart) {
  return {"kinds", "distance", "tokens", "positions", "queries"};
}

// Queries that count.
struct AttendedChoice {
  std::int64_t fifth = 0;  // of the window, 1 to 5; 0: all
  std::string type;        // a name of TokenType; "": all
  std::string text;        // id of a text; "": all
  bool operator==(const AttendedChoice&) const = default;
};

// --- Data

// Index 0: all queries; then the fifths of the window.
template <typename Value>
using ByFifth = std::array<Value, kFifths + 1>;

struct AttendedShare {
  double attention = kMissing;  // mean over queries
  Interval interval;            // of it, over texts
  double keys = kMissing;       // mean share of the visible keys
  double top = kMissing;        // share of the queries that score one of these keys highest
  double excess() const { return attention - keys; }
};
struct AttendedClass {
  std::string name, title, phrase;  // plain
  ByFifth<AttendedShare> share;
};

struct AttendedBin {
  double from = 0, to = 0;                        // tokens
  MeanOverTexts entropy, relativeEntropy, first;  // nats; / ln(visible keys); attention to the first token
};

struct AttendedExample {
  AttendedQuery query;
  RowText words;              // around the query; empty without texts
  std::vector<RowText> keys;  // [strongest]
};

struct AttendedData {
  HeadName head;
  AttendedChoice choice;
  bool dense = false;  // exact softmax; else over the captured keys
  std::int64_t window = 0, texts = 0;
  std::vector<std::string> exampleIds;
  ByFifth<std::int64_t> queries{};                        // evaluated
  std::vector<AttendedClass> places, types, distances;    // that some query sees; no types without texts
  std::vector<AttendedClass> tokens;                      // with the most attention, most first
  std::vector<AttendedBin> bins;                          // that have queries
  ByFifth<std::array<MeanOverTexts, kScoreParts>> parts;  // shares of a, b, rest
  std::vector<AttendedExample> typical, untypical;        // most first
  static constexpr std::size_t kTokens = 14, kExamples = 10;
};

// "all 5 texts · 1,301 captured queries, among captured keys only", plain.
std::string scopeText(const AttendedData& data);
// "Puts 41 % of its attention on the first token (0.1 % of the keys). Late queries (last fifth) put 41 % on
// it, early ones 22 %.": the class by place, type or distance with the largest difference between its shares
// of attention and of keys, at least 0.1, and the one where that difference changes most.
std::string attendedSentence(const AttendedData& data);

// attended: grouping, class, fifth (all | 1 ... 5), queries, attention with its interval, keys, top
Table attendedTable(const AttendedData& data);
// attended_positions: from, to, and entropy, relative_entropy and first_token with their intervals
Table attendedPositions(const AttendedData& data);
// attended_parts: fifth, part (a | b | rest), share with its interval
Table attendedParts(const AttendedData& data);
// attended_queries: agreement (high | low), rank, text, position, value, before, token, after, and position,
// token and attention of three keys
Table attendedQueries(const AttendedData& data);

}  // namespace plastiscope
