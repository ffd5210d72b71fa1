#include "core/jobs/attention_map.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "core/base/error.h"
#include "core/jobs/parallel.h"
#include "core/jobs/row_subset.h"
#include "core/views/plane_data.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kBaseCells = 2048;  // rows of cells of a whole text, at most
constexpr double kQuickScores = 3e7;       // computed at once

TokenRange textPart(const std::optional<TokenRange>& wanted, std::int64_t tokens, const char* kind) {
  if (!wanted) return {0, tokens};
  if (wanted->first < 0 || wanted->size() == 0 || wanted->first >= tokens)
    throw UsageError(std::string(kind) + ": expected a range within the " + withCommas(tokens) +
                     " tokens of the text, found " + withCommas(wanted->first) + " to " +
                     withCommas(wanted->end - 1));
  return {wanted->first, std::min(wanted->end, tokens)};
}

// The smallest power of two of which `most` cover the range.
std::int64_t cellFor(TokenRange range, std::int64_t most) {
  std::int64_t cell = 1;
  while (cell * std::max<std::int64_t>(1, most) < range.size()) cell *= 2;
  return cell;
}

// `count` of the tokens, in the middle of as many equal parts.
std::vector<std::int64_t> someOf(TokenRange range, std::int64_t count) {
  const std::int64_t some = std::min(count, range.size());
  std::vector<std::int64_t> tokens;
  for (std::int64_t i = 0; i < some; ++i)
    tokens.push_back(range.first + (2 * i + 1) * range.size() / (2 * some));
  return tokens;
}

std::vector<std::int64_t> allOf(TokenRange range) {
  return someOf(range, range.size());
}

void requireEveryPosition(const CapturedRows& rows, std::int64_t tokens) {
  bool every = std::ssize(rows.position) == tokens && tokens > 0;
  for (std::int64_t i = 0; i < tokens && every; ++i) every = rows.position[static_cast<std::size_t>(i)] == i;
  if (!every) throw InputError("the rows of a head at every position have gaps");
}

TokenRange baseCell(std::int64_t cell, std::int64_t size, std::int64_t tokens) {
  return {cell * size, std::min((cell + 1) * size, tokens)};
}

}  // namespace

AttentionMap::AttentionMap(const Study& study, HeadName head, std::int64_t example, int threads)
    : m_example(example), m_threads(threads) {
  if (const std::string reason = whyNoAttention(study, head); !reason.empty()) throw UsageError(reason);
  const CaptureInfo& info = study.capture->info();
  if (example < 0 || example >= std::ssize(info.examples))
    throw UsageError("text " + std::to_string(example) + " of " + std::to_string(info.examples.size()));
  const WholeText text = wholeText(*study.capture, example);
  const std::int64_t keyHead = head.head / factsOf(study).groupSize(head.layer);
  const CapturedRows query =
                         text.capture->denseRows({head.layer, head.head, RowSet::DenseQuery}, text.example),
                     key = text.capture->denseRows({head.layer, keyHead, RowSet::DenseKey}, text.example);
  for (const CapturedRows* rows : {&query, &key}) requireEveryPosition(*rows, std::ssize(key.position));
  m_attention = std::make_unique<DenseAttention>(AttentionText{key.headDim, query.vectors, key.vectors, {}},
                                                 *scoreRuleOf(info, head.layer));
  m_plain.head = head;
  m_plain.text = exampleLabel(factsOf(study).exampleIds, static_cast<std::int32_t>(example));
  m_plain.rule = ruleText(info, head.layer);
  m_plain.tokens = m_attention->tokens();
  m_base = cellFor({0, tokens()}, kBaseCells);
  m_baseRows = (tokens() + m_base - 1) / m_base;
  m_rowKnown = std::vector<std::atomic<bool>>(static_cast<std::size_t>(m_baseRows));
}

AttentionData AttentionMap::planOf(const AttentionView& view) const {
  AttentionData plan = m_plain;
  plan.quantity = view.quantity;
  plan.queries = textPart(view.queries, tokens(), "queries");
  plan.keys = textPart(view.keys, tokens(), "keys");
  plan.cellQueries = plan.evaluated = cellFor(plan.queries, view.rows);
  plan.cellKeys = cellFor(plan.keys, view.columns);
  // Cells begin at multiples of their size, so that larger cells consist of smaller ones.
  const auto widen = [this](TokenRange& range, std::int64_t cell) {
    range.first = range.first / cell * cell;
    const std::int64_t count = (range.size() + cell - 1) / cell;
    range.end = std::min(range.first + count * cell, tokens());
    return count;
  };
  plan.rows = widen(plan.queries, plan.cellQueries);
  plan.columns = widen(plan.keys, plan.cellKeys);
  return plan;
}

bool AttentionMap::isKnown(const AttentionData& plan) const {
  return plan.quantity != AttentionQuantity::Position && plan.cellQueries >= m_base &&
         plan.cellKeys >= m_base && isComplete();
}

double AttentionMap::cost(const AttentionData& plan) const {
  if (isKnown(plan)) return 0;
  return m_attention->cost(allOf(plan.queries), plan.keys, plan.quantity == AttentionQuantity::Weight);
}

AttentionData AttentionMap::view(const AttentionView& view, Precision precision,
                                 const Progress& progress) const {
  AttentionData data = planOf(view);
  data.max.assign(static_cast<std::size_t>(data.rows * data.columns),
                  std::numeric_limits<float>::quiet_NaN());
  data.mean = data.max;
  if (data.quantity == AttentionQuantity::Position) {
    std::call_once(m_distancesOnce, [this] { m_distances = distanceScoresOf(*m_attention); });
    data.positionShare = m_distances.share;
  }
  const bool known = isKnown(data);
  if (precision == Precision::Quick && cost(data) > kQuickScores) {
    const double share = kQuickScores / cost(data) * static_cast<double>(data.cellQueries);
    data.evaluated = std::max<std::int64_t>(1, static_cast<std::int64_t>(share));
  }
  parallelFor(static_cast<std::size_t>(data.rows), m_threads, [&](std::size_t row) {
    progress.throwIfStopped();
    known ? joinRow(static_cast<std::int64_t>(row), data) : computeRow(static_cast<std::int64_t>(row), data);
  });
  return data;
}

void AttentionMap::computeRow(std::int64_t row, AttentionData& data) const {
  static thread_local KeySums sums;
  sums.begin(data.keys);
  const std::vector<std::int64_t> queries = someOf(data.queriesOf(row), data.evaluated);
  const bool weights = data.quantity == AttentionQuantity::Weight;
  if (data.quantity == AttentionQuantity::Position)
    m_attention->addByDistance(queries, data.keys, m_distances, sums);
  else
    m_attention->add(queries, data.keys, weights ? nullptr : &sums, weights ? &sums : nullptr);
  for (std::int64_t column = 0; column < data.columns; ++column) {
    const auto cell = static_cast<std::size_t>(row * data.columns + column);
    if (const std::int64_t pairs = m_attention->pairs(queries, data.keysOf(column)); pairs > 0)
      std::tie(data.mean[cell], data.max[cell]) = sums.over(data.keysOf(column), pairs);
  }
}

void AttentionMap::completeRow(std::int64_t row) const {
  static thread_local KeySums scores, weights;
  const TokenRange own = baseCell(row, m_base, tokens());
  const std::vector<std::int64_t> queries = allOf(own);
  scores.begin({0, own.end});
  weights.begin({0, own.end});
  m_attention->add(queries, {0, own.end}, &scores, &weights);
  for (std::int64_t column = 0; column <= row; ++column) {
    const TokenRange keys = baseCell(column, m_base, tokens());
    const auto cell = static_cast<std::size_t>(row * (row + 1) / 2 + column);
    const std::int64_t pairs = m_attention->pairs(queries, keys);
    if (pairs == 0) continue;
    std::tie(m_scores.mean[cell], m_scores.max[cell]) = scores.over(keys, pairs);
    std::tie(m_weights.mean[cell], m_weights.max[cell]) = weights.over(keys, pairs);
  }
  m_rowKnown[static_cast<std::size_t>(row)] = true;
  ++m_known;
}

void AttentionMap::complete(const Progress& progress) const {
  const std::lock_guard lock(m_completing);
  for (std::vector<float>* values : {&m_scores.mean, &m_scores.max, &m_weights.mean, &m_weights.max})
    values->resize(static_cast<std::size_t>(m_baseRows * (m_baseRows + 1) / 2));
  parallelFor(static_cast<std::size_t>(m_baseRows), m_threads, [&](std::size_t row) {
    if (m_rowKnown[row]) return;
    progress.throwIfStopped();
    completeRow(static_cast<std::int64_t>(row));
  });
}

void AttentionMap::joinRow(std::int64_t row, AttentionData& data) const {
  const Cells& cells = data.quantity == AttentionQuantity::Weight ? m_weights : m_scores;
  const TokenRange queries = data.queriesOf(row);
  std::vector<double> sum(static_cast<std::size_t>(data.columns)), pairs(sum.size());
  for (std::int64_t above = queries.first / m_base; above * m_base < queries.end; ++above) {
    const std::vector<std::int64_t> own = allOf(baseCell(above, m_base, tokens()));
    for (std::int64_t base = data.keys.first / m_base; base <= above && base * m_base < data.keys.end;
         ++base) {
      const auto seen = static_cast<double>(m_attention->pairs(own, baseCell(base, m_base, tokens())));
      if (seen == 0) continue;
      const auto from = static_cast<std::size_t>(above * (above + 1) / 2 + base),
                 column = static_cast<std::size_t>((base * m_base - data.keys.first) / data.cellKeys);
      sum[column] += seen * static_cast<double>(cells.mean[from]);
      pairs[column] += seen;
      float& most = data.max[static_cast<std::size_t>(row * data.columns) + column];
      if (!(most >= cells.max[from])) most = cells.max[from];
    }
  }
  for (std::size_t column = 0; column < sum.size(); ++column) {
    if (pairs[column] > 0)
      data.mean[static_cast<std::size_t>(row * data.columns) + column] =
          static_cast<float>(sum[column] / pairs[column]);
  }
}

}  // namespace plastiscope
