#pragma once
// Attention weights of single queries over the keys of a text at every position.
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/analysis/attention_scores.h"
#include "core/analysis/matrix.h"

namespace plastiscope {

// At most `count` of the positions from <= t < to for which `chosen` is true (null: all), evenly spaced.
std::vector<std::int64_t> spacedQueries(std::int64_t from, std::int64_t to,
                                        const std::function<bool(std::int64_t)>& chosen, std::int64_t count);
// Rows `which` of `rows` [tokens, width].
Matrix widenedRows(std::span<const float> rows, std::int64_t width, std::span<const std::int64_t> which);
// Scores of `queries` [n, head_dim] with keys [from, to) of a text, scaled and capped: [n, to - from].
void scoreKeys(Matrix queries, std::span<const float> keys, std::int64_t from, std::int64_t to,
               const AttentionScoreRule& rule, Matrix& scores);
// Replaces scores, at least one, by softmax weights a; returns the sum of a ln a.
double softmax(std::span<double> scores);

}  // namespace plastiscope
