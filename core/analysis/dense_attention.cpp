#include "core/analysis/dense_attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/analysis/attention_kernels.h"
#include "core/analysis/attention_weights.h"
#include "core/analysis/reach.h"

namespace plastiscope {

namespace {

constexpr float kUnseen = -std::numeric_limits<float>::infinity();
constexpr std::array<float, kBlockQueries> kOnes = {1, 1, 1, 1, 1, 1, 1, 1};

TokenRange overlap(TokenRange a, TokenRange b) {
  return {std::max(a.first, b.first), std::min(a.end, b.end)};
}

TokenRange widened(TokenRange range) {
  return {range.first / kKeyPanel * kKeyPanel, paddedKeys(range.end)};
}

}  // namespace

void KeySums::begin(TokenRange range) {
  keys = widened(range);
  sum.assign(static_cast<std::size_t>(keys.size()), 0);
  most.assign(sum.size(), kUnseen);
}

void KeySums::add(ScoreBlock& block, const float* factor) {
  const TokenRange both = overlap(keys, block.keys);
  if (both.size() == 0) return;
  gatherRows(block.row(0) + (both.first - block.keys.first), both.size(), block.keys.size(), factor,
             sum.data() + (both.first - keys.first), most.data() + (both.first - keys.first));
}

std::pair<float, float> KeySums::over(TokenRange some, std::int64_t pairs) const {
  double total = 0;
  float highest = kUnseen;
  for (std::int64_t key = some.first - keys.first; key < some.end - keys.first; ++key) {
    total += static_cast<double>(sum[static_cast<std::size_t>(key)]);
    highest = std::max(highest, most[static_cast<std::size_t>(key)]);
  }
  return {static_cast<float>(total / static_cast<double>(pairs)), highest};
}

DenseAttention::DenseAttention(const AttentionText& text, const AttentionScoreRule& rule)
    : m_headDim(text.headDim),
      m_tokens(std::ssize(text.key) / text.headDim),
      m_rule(rule),
      m_queries(text.query.begin(), text.query.end()),
      m_keys(keyPanels(text.key, text.headDim)),
      m_logSum(static_cast<std::size_t>(m_tokens)) {
  for (float& number : m_queries) number *= static_cast<float>(rule.scale);
  for (auto& one : m_logSum) one = std::numeric_limits<float>::quiet_NaN();
}

TokenRange DenseAttention::keysOf(std::int64_t query) const {
  return {firstVisibleKey(query, m_rule.window, m_rule.chunked), query + 1};
}

std::int64_t DenseAttention::pairs(std::span<const std::int64_t> queries, TokenRange keys) const {
  if (queries.empty()) return 0;
  const TokenRange seenByAll = overlap(keysOf(queries.front()), keysOf(queries.back()));
  if (overlap(keys, seenByAll) == keys) return std::ssize(queries) * keys.size();
  std::int64_t count = 0;
  for (const std::int64_t query : queries) count += overlap(keysOf(query), keys).size();
  return count;
}

double DenseAttention::cost(std::span<const std::int64_t> queries, TokenRange keys, bool weights) const {
  double sum = 0;
  for (const std::int64_t query : queries) {
    const TokenRange own = keysOf(query);
    const bool all = weights && std::isnan(m_logSum[query].load(std::memory_order_relaxed));
    sum += static_cast<double>((all ? own : overlap(own, keys)).size());
  }
  return sum;
}

void DenseAttention::score(std::span<const std::int64_t> queries, TokenRange keys, ScoreBlock& block) const {
  const TokenRange some = overlap(keys, {keysOf(queries.front()).first, queries.back() + 1});
  block.keys = some.size() > 0 ? widened(some) : TokenRange{};
  const std::int64_t stride = block.keys.size();
  block.scores.resize(static_cast<std::size_t>(kBlockQueries * stride));
  if (stride == 0) return;
  std::vector<float> turned(static_cast<std::size_t>(m_headDim * kBlockQueries));
  for (std::size_t i = 0; i < queries.size(); ++i) {
    for (std::int64_t e = 0; e < m_headDim; ++e)
      turned[static_cast<std::size_t>(e * kBlockQueries) + i] = m_queries[queries[i] * m_headDim + e];
  }
  scorePanels(turned.data(), std::ssize(queries), m_headDim, m_keys.data() + block.keys.first * m_headDim,
              stride, block.row(0), stride);
  if (m_rule.softcap > 0)
    capScores(block.row(0), std::ssize(queries) * stride, static_cast<float>(m_rule.softcap));
  for (std::int64_t i = 0; i < kBlockQueries; ++i) {
    const TokenRange seen =
        i < std::ssize(queries) ? overlap(overlap(keysOf(queries[i]), keys), block.keys) : TokenRange{};
    float* const row = block.row(i);
    if (seen.size() == 0) {
      std::fill(row, row + stride, kUnseen);
      continue;
    }
    std::fill(row, row + (seen.first - block.keys.first), kUnseen);
    std::fill(row + (seen.end - block.keys.first), row + stride, kUnseen);
  }
}

void DenseAttention::add(std::span<const std::int64_t> queries, TokenRange keys, KeySums* scores,
                         KeySums* weights) const {
  static thread_local ScoreBlock block;  // several MB: not allocated for each call
  for (std::size_t at = 0; at < queries.size(); at += kBlockQueries) {
    const auto some = queries.subspan(at, std::min<std::size_t>(kBlockQueries, queries.size() - at));
    const bool known = weights == nullptr || std::ranges::none_of(some, [this](std::int64_t query) {
                         return std::isnan(m_logSum[query].load(std::memory_order_relaxed));
                       });
    score(some, known ? keys : TokenRange{0, m_tokens}, block);
    if (block.keys.size() == 0) continue;
    if (scores != nullptr) scores->add(block, kOnes.data());
    if (weights == nullptr) continue;
    std::array<float, kBlockQueries> factor = kOnes;
    for (std::size_t i = 0; i < some.size(); ++i) {
      float* const row = block.row(static_cast<std::int64_t>(i));
      std::atomic<float>& logSum = m_logSum[some[i]];
      if (known) {
        exponentiate(row, block.keys.size(), logSum.load(std::memory_order_relaxed));
        continue;
      }
      const float highest = highestScore(row, block.keys.size());
      const double sum = exponentiate(row, block.keys.size(), highest);
      factor[i] = static_cast<float>(1 / sum);
      logSum.store(static_cast<float>(static_cast<double>(highest) + std::log(sum)),
                   std::memory_order_relaxed);
    }
    weights->add(block, factor.data());
  }
}

void DenseAttention::addByDistance(std::span<const std::int64_t> queries, TokenRange keys,
                                   const DistanceScores& distances, KeySums& sums) const {
  static thread_local ScoreBlock block;
  for (std::size_t at = 0; at < queries.size(); at += kBlockQueries) {
    const auto some = queries.subspan(at, std::min<std::size_t>(kBlockQueries, queries.size() - at));
    const TokenRange range = overlap(keys, {keysOf(some.front()).first, some.back() + 1});
    if (range.size() == 0) continue;
    block.keys = widened(range);
    block.scores.assign(static_cast<std::size_t>(kBlockQueries * block.keys.size()), kUnseen);
    for (std::size_t i = 0; i < some.size(); ++i) {
      const TokenRange seen = overlap(keysOf(some[i]), keys);
      if (seen.size() > 0)
        std::reverse_copy(distances.mean.begin() + (some[i] - seen.end + 1),
                          distances.mean.begin() + (some[i] - seen.first + 1),
                          block.row(static_cast<std::int64_t>(i)) + (seen.first - block.keys.first));
    }
    sums.add(block, kOnes.data());
  }
}

DenseAttention::Row DenseAttention::row(std::int64_t query) const {
  Row found{keysOf(query), {}, {}};
  KeySums scores, weights;
  scores.begin(found.keys);
  weights.begin(found.keys);
  add({&query, 1}, found.keys, &scores, &weights);
  const auto from = found.keys.first - scores.keys.first;
  found.score.assign(scores.most.begin() + from, scores.most.begin() + from + found.keys.size());
  found.weight.assign(weights.sum.begin() + from, weights.sum.begin() + from + found.keys.size());
  return found;
}

DistanceScores distanceScoresOf(const DenseAttention& attention) {
  const std::vector<std::int64_t> queries = spacedQueries(0, attention.tokens(), nullptr, kDistanceQueries);
  std::vector<double> sum(static_cast<std::size_t>(attention.tokens())), count(sum.size());
  // Relative to the mean score of the last query: sums of squares would lose digits.
  const std::vector<float> last = attention.row(attention.tokens() - 1).score;
  double origin = 0, all = 0, squares = 0, number = 0;
  for (const float score : last) origin += static_cast<double>(score) / static_cast<double>(last.size());
  ScoreBlock block;
  for (std::size_t at = 0; at < queries.size(); at += kBlockQueries) {
    const auto some =
        std::span(queries).subspan(at, std::min<std::size_t>(kBlockQueries, queries.size() - at));
    attention.score(some, {0, attention.tokens()}, block);
    for (std::size_t i = 0; i < some.size(); ++i) {
      const float* const row = block.row(static_cast<std::int64_t>(i));
      const TokenRange seen = attention.keysOf(some[i]);
      for (std::int64_t key = seen.first; key < seen.end; ++key) {
        const double score = static_cast<double>(row[key - block.keys.first]) - origin;
        sum[some[i] - key] += score;
        count[some[i] - key] += 1;
        squares += score * score;
      }
    }
  }
  DistanceScores found{std::vector<float>(sum.size()), kMissing};
  double between = 0;
  for (std::size_t d = 0; d < sum.size(); ++d) {
    if (count[d] == 0) {  // not at distance 0
      found.mean[d] = found.mean[d - 1];
      continue;
    }
    found.mean[d] = static_cast<float>(sum[d] / count[d] + origin);
    between += sum[d] * sum[d] / count[d];
    all += sum[d];
    number += count[d];
  }
  const double ofMean = all * all / number;
  if (squares > ofMean) found.share = (between - ofMean) / (squares - ofMean);
  return found;
}

}  // namespace plastiscope
