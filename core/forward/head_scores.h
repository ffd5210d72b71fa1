#pragma once
// Attention scores of single queries, from the softmax over every key that they see.
#include <ATen/core/Tensor.h>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/head_scores.h"
#include "core/forward/attention.h"

namespace plastiscope {

// Query heads that share the same keys.
struct ScoredGroup {
  at::Tensor queries;  // [heads, positions, head_dim] float32
  at::Tensor keys;     // [tokens, head_dim]; tokens > last position
  at::Tensor sinks;    // [heads] float32, or undefined
};

struct ScoredText {
  std::span<const std::int32_t> tokens;     // ids
  std::span<const std::int32_t> positions;  // of the queries, ascending, above 0
};

// Same bytes for any number of threads. `rule.sinks` is not used. `topKeys`: also TextScores::topKeys.
TextScores headScores(const ScoredText& text, const std::vector<ScoredGroup>& groups,
                      const AttentionRule& rule, bool topKeys = false);

// Numbers alive at once in headScores(), per thread on a CPU, for `group` query heads of one key head.
std::uint64_t headScoreNumbers(std::int64_t tokens, std::int64_t group, std::int64_t headDim, bool onCpu);

}  // namespace plastiscope
