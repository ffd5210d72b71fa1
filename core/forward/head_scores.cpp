#include "core/forward/head_scores.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <unordered_map>

#include "core/forward/row_blocks.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kKeysAtOnce = 2048;
constexpr double kHidden = -1e30;  // score of a key that the query does not see: its weight is 0

// Query-key pairs of a block for each head: on a CPU they stay in a core's cache.
std::int64_t pairsAtOnce(bool onCpu) {
  return std::int64_t{1} << (onCpu ? 15 : 20);
}
std::int64_t queriesAtOnce(std::int64_t tokens, bool onCpu) {
  return std::max<std::int64_t>(1, pairsAtOnce(onCpu) / std::max<std::int64_t>(1, tokens));
}

std::int64_t firstKeyOf(std::int64_t query, const AttentionRule& rule) {
  if (rule.window <= 0) return 0;
  return rule.chunked ? query / rule.window * rule.window
                      : std::max<std::int64_t>(0, query + 1 - rule.window);
}

ScoredQueries countsOf(const ScoredText& text) {
  ScoredQueries counts;
  std::unordered_map<std::int32_t, std::int32_t> first;  // position of each token's first occurrence
  std::int32_t at = 0;
  for (const std::int32_t position : text.positions) {
    for (; at <= position; ++at) first.try_emplace(text.tokens[at], at);
    const std::int32_t earlier = first.at(text.tokens[position]);
    ++counts.all;
    counts.duplicate += earlier < position ? 1 : 0;
    counts.induction += earlier < position - 1 ? 1 : 0;
  }
  return counts;
}

// Scores of a text other than the entropy are products of a query's weights with factors of its keys, which
// all heads share.
class ScoreBlock {
 public:
  // Queries [begin, begin + count) of `text`.
  ScoreBlock(const ScoredText& text, std::int64_t begin, std::int64_t count, const AttentionRule& rule,
             const c10::Device& device)
      : m_rule(rule), m_begin(begin), m_count(count) {
    const auto positions = text.positions.subspan(begin, count);
    m_from = firstKeyOf(positions.front(), rule);
    m_end = positions.back() + 1;
    std::vector<std::int64_t> firstKeys;
    std::vector<std::int32_t> own;  // tokens
    for (const std::int32_t position : positions) {
      firstKeys.push_back(firstKeyOf(position, rule));
      own.push_back(text.tokens[position]);
    }
    std::vector<std::int32_t> seen(text.tokens.begin() + m_from, text.tokens.begin() + m_end);
    std::vector<std::int32_t> before(seen.size());  // the token before each key
    for (std::int64_t key = m_from; key < m_end; ++key)
      before[key - m_from] = key > 0 ? text.tokens[key - 1] : -1;
    const auto column = [&device](const auto& values) {
      return at::tensor(values, at::kInt).to(device).unsqueeze(1);
    };
    const at::Tensor query = column(std::vector<std::int32_t>(positions.begin(), positions.end()));
    const at::Tensor key = at::arange(m_from, m_end, at::TensorOptions(device).dtype(at::kInt)).unsqueeze(0);
    m_hidden = key.gt(query).logical_or_(key.lt(column(firstKeys))).unsqueeze(1);
    const at::Tensor earlier = key.lt(query), token = column(own);
    const auto same = [&](const std::vector<std::int32_t>& tokens) {
      return at::tensor(tokens, at::kInt).to(device).unsqueeze(0).eq(token).logical_and_(earlier);
    };
    const auto floats = at::TensorOptions(device).dtype(at::kFloat);
    m_factors = at::empty({count, std::int64_t{kHeadScores}, m_end - m_from}, floats);
    const auto set = [this](HeadScore score, const at::Tensor& values) {
      m_factors.select(1, static_cast<std::int64_t>(indexOf(score))).copy_(values);
    };
    m_factors.select(1, static_cast<std::int64_t>(indexOf(HeadScore::Entropy)))
        .fill_(1);  // sum of all weights
    set(HeadScore::Distance, query.sub(key));
    set(HeadScore::FirstToken, key.eq(0));
    set(HeadScore::Recent, key.gt(query.sub(kRecentTokens)));
    set(HeadScore::PreviousToken, key.eq(query.sub(1)));
    set(HeadScore::Induction, same(before));
    set(HeadScore::DuplicateToken, same(seen));
  }

  // Scores of every query: [queries, heads, scores] float32. `top`: receives the most attended keys [queries,
  // heads] if it is defined.
  at::Tensor scores(const ScoredGroup& group, const at::Tensor& top) const {
    const std::int64_t heads = group.queries.size(0), width = group.queries.size(2);
    const at::Tensor query = group.queries.narrow(1, m_begin, m_count)
                                 .transpose(0, 1)
                                 .mul(m_rule.scale)
                                 .reshape({m_count * heads, width});
    const at::Tensor flat = at::empty({m_count * heads, m_end - m_from}, query.options());
    for (std::int64_t key = m_from; key < m_end; key += kKeysAtOnce) {
      const std::int64_t count = std::min(kKeysAtOnce, m_end - key);
      // A copy: products of rows at another alignment may round differently.
      const at::Tensor keys = group.keys.narrow(0, key, count).to(at::kFloat, false, /*copy=*/true);
      at::Tensor part = flat.narrow(1, key - m_from, count);
      at::mm_out(part, query, keys.t());
    }
    const at::Tensor score = flat.view({m_count, heads, m_end - m_from});
    if (m_rule.softcap > 0) score.div_(m_rule.softcap).tanh_().mul_(m_rule.softcap);
    score.masked_fill_(m_hidden, kHidden);
    if (top.defined()) top.copy_(score.argmax(-1).add_(m_from));
    at::Tensor highest = score.amax(-1, true);
    if (group.sinks.defined()) highest = at::maximum(highest, group.sinks.view({1, heads, 1}));
    score.sub_(highest);
    const at::Tensor weight = score.exp();  // not yet divided by their sum
    const at::Tensor means = at::bmm(weight, m_factors.transpose(1, 2));
    at::Tensor total = weight.sum(-1, true);
    if (group.sinks.defined()) total.add_(group.sinks.view({1, heads, 1}).sub(highest).exp_());
    means.div_(total);
    // -sum a ln a with ln a = score - ln(total)
    const at::Tensor entropy = means.narrow(2, static_cast<std::int64_t>(indexOf(HeadScore::Entropy)), 1);
    entropy.mul_(total.log()).sub_(score.mul_(weight).sum(-1, true).div_(total));
    return means;
  }

 private:
  const AttentionRule& m_rule;
  std::int64_t m_begin, m_count, m_from, m_end;
  at::Tensor m_hidden;   // [queries, 1, keys]
  at::Tensor m_factors;  // [queries, scores, keys] float32
};

}  // namespace

TextScores headScores(const ScoredText& text, const std::vector<ScoredGroup>& groups,
                      const AttentionRule& rule, bool topKeys) {
  const auto queries = std::ssize(text.positions);
  TextScores result{countsOf(text), {}};
  if (queries == 0) return result;
  std::int64_t heads = 0;
  for (const ScoredGroup& group : groups) heads += group.queries.size(0);
  const c10::Device device = groups.front().queries.device();
  const at::Tensor all =
      at::empty({queries, heads, std::int64_t{kHeadScores}}, at::TensorOptions(device).dtype(at::kFloat));
  const at::Tensor tops =
      topKeys ? at::empty({queries, heads}, at::TensorOptions(device).dtype(at::kInt)) : at::Tensor();
  const std::int64_t atOnce = queriesAtOnce(text.positions.back() + 1, device.is_cpu());
  const auto run = [&](std::int64_t block) {
    const std::int64_t begin = block * atOnce, count = std::min(atOnce, queries - begin);
    const ScoreBlock scored(text, begin, count, rule, device);
    std::int64_t head = 0;
    for (const ScoredGroup& group : groups) {
      const std::int64_t own = group.queries.size(0);
      const auto part = [&](const at::Tensor& whole) {
        return whole.defined() ? whole.narrow(0, begin, count).narrow(1, head, own) : whole;
      };
      part(all).copy_(scored.scores(group, part(tops)));
      head += own;
    }
  };
  const std::int64_t blocks = (queries + atOnce - 1) / atOnce;
  if (device.is_cpu()) {
    forEachInParallel(blocks, run);
  } else {
    for (std::int64_t block = 0; block < blocks; ++block) run(block);
  }
  if (topKeys) {
    const at::Tensor keys = tops.t().contiguous().cpu();
    result.topKeys.assign(keys.const_data_ptr<std::int32_t>(),
                          keys.const_data_ptr<std::int32_t>() + keys.numel());
  }
  const at::Tensor here = all.cpu();
  const float* score = here.const_data_ptr<float>();
  result.heads.resize(heads);
  for (std::int64_t query = 0; query < queries; ++query) {
    for (ScoreSums& sums : result.heads) {
      for (double& sum : sums) sum += *score++;
    }
  }
  return result;
}

std::uint64_t headScoreNumbers(std::int64_t tokens, std::int64_t group, std::int64_t headDim, bool onCpu) {
  constexpr std::int64_t kMaxQueries = 256;  // of a text: those of the probe
  const std::int64_t pairs = std::min(queriesAtOnce(tokens, onCpu), kMaxQueries) * tokens;
  // Scores, weights and one product of them; factors; masks and their parts; keys.
  return static_cast<std::uint64_t>(pairs * (3 * group + std::int64_t{kHeadScores} + 3) +
                                    std::min(tokens, kKeysAtOnce) * headDim);
}

}  // namespace plastiscope
