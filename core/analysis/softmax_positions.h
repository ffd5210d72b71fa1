#pragma once
// Attention weights by query position, for heads captured at every position: how concentrated they are, and
// how much of them two queries of one text share (method.md, Softmax by position).
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/analysis/aligned_plasticity.h"
#include "core/analysis/attention_scores.h"
#include "core/base/progress.h"

namespace plastiscope {

// In the order of the table softmax.
enum class SoftmaxValue {
  PairPlasticity,      // aligned AP of the bin
  Plasticity,          // 1 - overlap of the weights of two queries, the later one moved to the earlier
  BinnedPlasticity,    // the same with both queries at their own positions
  WeightedPlasticity,  // PP of key pairs, weighted by the product of their attention weights
  Entropy,
  EffectiveKeys,  // exp(entropy) / visible keys
  Sink1,          // weight of the first 1, 4 and 16 tokens of the text
  Sink4,
  Sink16,
  Recent16,  // of the last 16 and 256 tokens, the query's own included
  Recent256,
  Top32,  // of the 32 largest
  Distance
};
constexpr std::array<const char*, 13> namesOf(SoftmaxValue) {
  return {"ap_aligned", "sp",      "sp_binned", "attention_pp", "entropy", "effective_keys", "sink_1",
          "sink_4",     "sink_16", "recent_16", "recent_256",   "top_32",  "distance"};
}
inline constexpr std::size_t kSoftmaxValues = namesOf(SoftmaxValue()).size();
template <typename Value>
using BySoftmaxValue = std::array<Value, kSoftmaxValues>;

// Values of a bin, or their means over the bins that have them.
struct SoftmaxRow {
  double start = 0, end = 0, tau = kMissing;            // tokens
  std::int64_t queries = 0, queryPairs = 0, texts = 0;  // evaluated
  BySoftmaxValue<double> value = {};
  BySoftmaxValue<Interval> interval = {};  // 95 %, over texts
  double of(SoftmaxValue which) const { return value[static_cast<std::size_t>(which)]; }
};

struct SoftmaxPositions {
  std::vector<SoftmaxRow> rows;  // [bins of the aligned grid], then the means over bins
  SampledValue plasticity;       // mean of Plasticity
  SampledValue correlation;      // Spearman's, of PairPlasticity and Plasticity over bins
};

// Queries and keys of a head at every position, read when they are needed.
struct DenseTexts {
  std::int64_t texts = 0, headDim = 0;
  std::function<std::vector<float>(std::int64_t text)> queries, keys;         // [tokens, head_dim]
  std::function<bool(std::int64_t text, std::int64_t position)> chosen = {};  // queries; null: all
};

// Copies nothing; everything must outlive the call.
struct SoftmaxInput {
  const HeadId& place;
  const BinGrid& grid;  // of the aligned values
  const AttentionScoreRule& rule;
  const DenseTexts& dense;
  const AlignedPlasticity& aligned;
  const Resamples& resamples;  // a jackknife's
  std::uint64_t seed = 0;
};

// Evaluated queries per text and bin.
std::int64_t softmaxQueriesPerBin(std::int64_t texts, std::int64_t bins);

// Stopped.
SoftmaxPositions softmaxPositionsOf(const SoftmaxInput& input, const Progress& progress);

}  // namespace plastiscope
