#pragma once
// Attention map of a head captured at every position: weights or scores over query and key position, in cells
// of several tokens (method.md, Attention maps).
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/dense_attention.h"
#include "core/views/study.h"
#include "core/views/study_facts.h"

namespace plastiscope {

enum class AttentionQuantity {
  Weight,   // softmax over all keys that the query sees
  Score,    // before the softmax, scaled and capped, logits
  Position  // part of the score that the distance of query and key predicts, logits
};
constexpr std::array<const char*, 3> namesOf(AttentionQuantity) {
  return {"weight", "score", "position"};
}
enum class CellValue { Max, Mean };  // over the pairs of a cell
constexpr std::array<const char*, 2> namesOf(CellValue) {
  return {"max", "mean"};
}

// The options of a map that views, figures and sessions share.
struct AttentionChoice {
  AttentionQuantity quantity = AttentionQuantity::Weight;
  CellValue cells = CellValue::Max;
  bool linear = false;  // weights on a linear colour scale instead of a logarithmic one
  bool operator==(const AttentionChoice&) const = default;
};

struct AttentionView {
  AttentionQuantity quantity = AttentionQuantity::Weight;
  std::optional<TokenRange> queries, keys;  // nullopt: the whole text
  std::int64_t rows = 512, columns = 512;   // at most this many cells
};

struct AttentionData {
  HeadName head;
  std::string text;  // id of the text
  std::int64_t tokens = 0;
  AttentionQuantity quantity = AttentionQuantity::Weight;
  TokenRange queries, keys;                    // whole cells, cut at the end of the text
  std::int64_t cellQueries = 1, cellKeys = 1;  // tokens of a cell, powers of two
  std::int64_t rows = 0, columns = 0;          // of cells; row 0 has the first queries
  std::vector<float> max, mean;                // [rows * columns] over the pairs seen; NaN without any
  std::int64_t evaluated = 1;                  // queries per cell that were evaluated; cellQueries: exact
  double positionShare = kMissing;             // of the variance of scores; quantity Position only
  std::string rule;                            // "sliding window of 512 tokens, softcap 50"; may be empty
  bool exact() const { return evaluated >= cellQueries; }
  // Query and key tokens of a cell.
  TokenRange queriesOf(std::int64_t row) const;
  TokenRange keysOf(std::int64_t column) const;
};

// Heads captured at every position, ascending.
std::vector<HeadName> denseHeadsOf(const CaptureFile& capture);
// Why a study has no attention map of a head: not captured at every position, or its rows do not give the
// scores. "" when it has one. UsageError when the head was not captured.
std::string whyNoAttention(const Study& study, HeadName head);
// The rule of a layer whose rows at every position determine its scores and, without learned sinks, its
// softmax.
std::optional<AttentionScoreRule> scoreRuleOf(const CaptureInfo& info, std::int64_t layer);
// Properties of the layer that a reader must know.
std::string ruleText(const CaptureInfo& info, std::int64_t layer);

// query_from, query_to, key_from, key_to (the last tokens of the cell), max, mean; cells without a pair are
// left out.
Table tableOf(const AttentionData& data);

}  // namespace plastiscope
