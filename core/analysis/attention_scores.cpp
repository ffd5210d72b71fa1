#include "core/analysis/attention_scores.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "core/analysis/attention_weights.h"
#include "core/analysis/reach.h"

namespace plastiscope {

namespace {

constexpr std::size_t kQueriesAtOnce = 32;

// For every position, the previous position of the same token; -1: none.
std::vector<std::int64_t> earlierSame(std::span<const std::int32_t> tokens) {
  std::vector<std::int64_t> earlier;
  std::unordered_map<std::int32_t, std::int64_t> last;
  for (const std::int32_t token : tokens) {
    const auto here = std::ssize(earlier);
    const auto [place, isNew] = last.try_emplace(token, here);
    earlier.push_back(isNew ? -1 : place->second);
    place->second = here;
  }
  return earlier;
}

}  // namespace

std::int64_t attentionQueriesPerText(std::int64_t texts) {
  constexpr std::int64_t kInAll = 16384, kLeast = 32, kMaximum = 1024;
  return std::clamp(kInAll / std::max<std::int64_t>(1, texts), kLeast, kMaximum);
}

void AttentionSums::add(const AttentionText& text, const AttentionScoreRule& rule, std::int64_t queries) {
  const std::int64_t width = text.headDim;
  if (width <= 0) return;
  const std::int64_t tokens = std::ssize(text.key) / width;
  const std::vector<std::int64_t> positions = spacedQueries(1, tokens, text.chosen, queries);
  const std::vector<std::int64_t> earlier = earlierSame(text.tokens);
  const auto firstKeyOf = [&rule](std::int64_t query) {
    return firstVisibleKey(query, rule.window, rule.chunked);
  };
  Matrix scores;  // [queries, keys from `from` on]
  for (std::size_t at = 0; at < positions.size(); at += kQueriesAtOnce) {
    const std::span<const std::int64_t> block =
        std::span(positions).subspan(at, std::min<std::size_t>(kQueriesAtOnce, positions.size() - at));
    const std::int64_t from = firstKeyOf(block.front());
    scoreKeys(widenedRows(text.query, width, block), text.key, from, block.back() + 1, rule, scores);
    for (std::size_t i = 0; i < block.size(); ++i) {
      const std::int64_t query = block[i], first = firstKeyOf(query);
      const std::span<double> weights(scores.row(i).data() + (first - from),
                                      static_cast<std::size_t>(query + 1 - first));
      const auto weightAt = [&](std::int64_t key) { return key < first ? 0 : weights[key - first]; };
      of(HeadScore::Entropy).add(-softmax(weights));
      double distance = 0, recent = 0;
      for (std::int64_t key = first; key < query; ++key)
        distance += weightAt(key) * static_cast<double>(query - key);
      for (std::int64_t key = std::max(first, query + 1 - kRecentTokens); key <= query; ++key)
        recent += weightAt(key);
      of(HeadScore::Distance).add(distance);
      of(HeadScore::FirstToken).add(weightAt(0));
      of(HeadScore::Recent).add(recent);
      of(HeadScore::PreviousToken).add(weightAt(query - 1));
      if (earlier.empty()) continue;
      double matched = 0, duplicate = 0;
      bool any = false;
      for (std::int64_t same = earlier[query]; same >= 0; same = earlier[same]) {
        duplicate += weightAt(same);
        if (same >= query - 1) continue;
        any = true;
        matched += weightAt(same + 1);
      }
      if (any) of(HeadScore::Induction).add(matched);
      if (earlier[query] >= 0) of(HeadScore::DuplicateToken).add(duplicate);
    }
  }
}

void AttentionSums::add(const AttentionSums& other) {
  for (std::size_t i = 0; i < m_means.size(); ++i) m_means[i].add(other.m_means[i]);
}

void AttentionSums::add(const ScoredQueries& queries, const ScoreSums& sums) {
  for (std::size_t i = 0; i < m_means.size(); ++i)
    m_means[i].add({sums[i], static_cast<double>(queries.of(static_cast<HeadScore>(i)))});
}

AttentionScores AttentionSums::scores() const {
  const auto value = [this](HeadScore score) { return m_means[indexOf(score)].value(); };
  const RunningMean& entropy = m_means[indexOf(HeadScore::Entropy)];
  return {value(HeadScore::Entropy),        value(HeadScore::Distance),
          value(HeadScore::FirstToken),     value(HeadScore::Recent),
          value(HeadScore::PreviousToken),  value(HeadScore::Induction),
          value(HeadScore::DuplicateToken), static_cast<std::int64_t>(entropy.count)};
}

}  // namespace plastiscope
