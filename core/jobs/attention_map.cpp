#include "core/jobs/attention_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

}  // namespace

// Cells of a view: whole multiples of powers of two, so that larger cells consist of smaller ones.
struct AttentionMap::Grid {
  AttentionQuantity quantity;
  TokenRange queries, keys;
  std::int64_t cellQueries, cellKeys, rows, columns;
};

AttentionMap::AttentionMap(const Study& study, HeadName head, std::int64_t example, int threads)
    : m_head(head), m_example(example), m_threads(threads) {
  if (const std::string reason = whyNoAttention(study, head); !reason.empty()) throw UsageError(reason);
  const CaptureInfo& info = study.capture->info();
  if (example < 0 || example >= std::ssize(info.examples))
    throw UsageError("text " + std::to_string(example) + " of " + std::to_string(info.examples.size()));
  const WholeText text = wholeText(*study.capture, example);
  const std::int64_t group = factsOf(study).groupSize(head.layer);
  const CapturedRows query =
                         text.capture->denseRows({head.layer, head.head, RowSet::DenseQuery}, text.example),
                     key = text.capture->denseRows({head.layer, head.head / group, RowSet::DenseKey},
                                                   text.example);
  requireEveryPosition(key, std::ssize(key.position));
  requireEveryPosition(query, std::ssize(key.position));
  m_text = exampleLabel(factsOf(study).exampleIds, static_cast<std::int32_t>(example));
  m_rule = ruleText(info, head.layer);
  m_attention = std::make_unique<DenseAttention>(AttentionText{key.headDim, query.vectors, key.vectors, {}},
                                                 *scoreRuleOf(info, head.layer));
  m_base = cellFor({0, tokens()}, kBaseCells);
  m_baseRows = (tokens() + m_base - 1) / m_base;
  m_rowKnown = std::vector<std::atomic<bool>>(static_cast<std::size_t>(m_baseRows));
}

AttentionMap::Grid AttentionMap::gridOf(const AttentionView& view) const {
  const TokenRange queries = textPart(view.queries, tokens(), "queries"),
                   keys = textPart(view.keys, tokens(), "keys");
  Grid grid{view.quantity, queries, keys, cellFor(queries, view.rows), cellFor(keys, view.columns), 0, 0};
  const auto whole = [this](TokenRange& range, std::int64_t cell) {
    range.first = range.first / cell * cell;
    const std::int64_t count = (range.end - range.first + cell - 1) / cell;
    range.end = std::min(range.first + count * cell, tokens());
    return count;
  };
  grid.rows = whole(grid.queries, grid.cellQueries);
  grid.columns = whole(grid.keys, grid.cellKeys);
  return grid;
}

bool AttentionMap::isBase(const Grid& grid) const {
  return grid.cellQueries >= m_base && grid.cellKeys >= m_base && isComplete();
}

double AttentionMap::cost(const AttentionView& view) const {
  const Grid grid = gridOf(view);
  if (grid.quantity == AttentionQuantity::Position || isBase(grid)) return 0;
  return m_attention->cost(allOf(grid.queries), grid.keys, grid.quantity == AttentionQuantity::Weight);
}

AttentionData AttentionMap::view(const AttentionView& view, Precision precision,
                                 const Progress& progress) const {
  const Grid grid = gridOf(view);
  AttentionData data;
  data.head = m_head;
  data.text = m_text;
  data.rule = m_rule;
  data.tokens = tokens();
  data.quantity = grid.quantity;
  data.queries = grid.queries;
  data.keys = grid.keys;
  data.cellQueries = grid.cellQueries;
  data.cellKeys = grid.cellKeys;
  data.rows = grid.rows;
  data.columns = grid.columns;
  data.max.assign(static_cast<std::size_t>(grid.rows * grid.columns),
                  std::numeric_limits<float>::quiet_NaN());
  data.mean = data.max;
  data.evaluated = grid.cellQueries;
  const bool position = grid.quantity == AttentionQuantity::Position, base = !position && isBase(grid);
  if (position) {
    std::call_once(m_distancesOnce, [this] {
      m_distances = distanceScoresOf(*m_attention);
      m_distanceSums.assign(1, 0);
      m_distanceCounts.assign(1, 0);
      for (const double mean : m_distances.mean) {
        const bool known = std::isfinite(mean);
        m_distanceSums.push_back(m_distanceSums.back() + (known ? mean : 0));
        m_distanceCounts.push_back(m_distanceCounts.back() + (known ? 1 : 0));
      }
    });
    data.positionShare = m_distances.share;
  } else if (!base && precision == Precision::Quick) {
    // As many queries of each cell as the time allows.
    const double all =
        m_attention->cost(allOf(grid.queries), grid.keys, grid.quantity == AttentionQuantity::Weight);
    const double share = kQuickScores / std::max(all, 1.0);
    if (share < 1)
      data.evaluated =
          std::max<std::int64_t>(1, static_cast<std::int64_t>(share * static_cast<double>(grid.cellQueries)));
  }
  parallelFor(static_cast<std::size_t>(grid.rows), m_threads, [&](std::size_t row) {
    progress.throwIfStopped();
    const auto which = static_cast<std::int64_t>(row);
    if (position)
      positionRow(grid, which, data);
    else if (base)
      baseRow(grid, which, data);
    else
      computeRow(grid, which, data.evaluated, data);
  });
  return data;
}

void AttentionMap::computeRow(const Grid& grid, std::int64_t row, std::int64_t evaluated,
                              AttentionData& data) const {
  const std::vector<std::int64_t> queries = someOf(data.queriesOf(row), evaluated);
  static thread_local KeySums sums;
  sums.begin(grid.keys);
  const bool weights = grid.quantity == AttentionQuantity::Weight;
  m_attention->add(queries, grid.keys, weights ? nullptr : &sums, weights ? &sums : nullptr);
  for (std::int64_t column = 0; column < grid.columns; ++column) {
    const TokenRange keys = data.keysOf(column);
    const std::int64_t pairs = m_attention->pairs(queries, keys);
    if (pairs == 0) continue;
    const auto cell = static_cast<std::size_t>(row * grid.columns + column);
    const auto [mean, most] = sums.over(keys, pairs);
    data.mean[cell] = mean;
    data.max[cell] = most;
  }
}

void AttentionMap::completeRow(std::int64_t row) const {
  const TokenRange whole{row * m_base, std::min((row + 1) * m_base, tokens())};
  const std::vector<std::int64_t> queries = allOf(whole);
  const TokenRange seen{0, whole.end};
  static thread_local KeySums scores, weights;
  scores.begin(seen);
  weights.begin(seen);
  m_attention->add(queries, seen, &scores, &weights);
  for (std::int64_t column = 0; column <= row; ++column) {
    const TokenRange keys{column * m_base, std::min((column + 1) * m_base, whole.end)};
    const std::int64_t pairs = m_attention->pairs(queries, keys);
    if (pairs == 0) continue;
    const auto cell = static_cast<std::size_t>(row * (row + 1) / 2 + column);
    std::tie(m_cells.scoreMean[cell], m_cells.scoreMax[cell]) = scores.over(keys, pairs);
    std::tie(m_cells.weightMean[cell], m_cells.weightMax[cell]) = weights.over(keys, pairs);
  }
  m_rowKnown[static_cast<std::size_t>(row)] = true;
  ++m_known;
}

void AttentionMap::complete(const Progress& progress) const {
  const std::lock_guard lock(m_completing);
  if (isComplete()) return;
  if (m_cells.scoreMean.empty()) {
    for (std::vector<float>* values :
         {&m_cells.scoreMean, &m_cells.scoreMax, &m_cells.weightMean, &m_cells.weightMax})
      values->resize(static_cast<std::size_t>(m_baseRows * (m_baseRows + 1) / 2));
  }
  parallelFor(static_cast<std::size_t>(m_baseRows), m_threads, [&](std::size_t row) {
    if (m_rowKnown[row]) return;
    progress.throwIfStopped();
    completeRow(static_cast<std::int64_t>(row));
  });
}

void AttentionMap::baseRow(const Grid& grid, std::int64_t row, AttentionData& data) const {
  const bool weights = grid.quantity == AttentionQuantity::Weight;
  const std::vector<float>&means = weights ? m_cells.weightMean : m_cells.scoreMean,
        &highest = weights ? m_cells.weightMax : m_cells.scoreMax;
  const TokenRange queries = data.queriesOf(row);
  std::vector<double> sum(static_cast<std::size_t>(grid.columns)), pairs(sum.size());
  for (std::int64_t baseRow = queries.first / m_base; baseRow * m_base < queries.end; ++baseRow) {
    const std::vector<std::int64_t> own =
        allOf({baseRow * m_base, std::min((baseRow + 1) * m_base, tokens())});
    for (std::int64_t column = 0; column < grid.columns; ++column) {
      const TokenRange keys = data.keysOf(column);
      for (std::int64_t base = keys.first / m_base; base * m_base < keys.end && base <= baseRow; ++base) {
        const auto seen = static_cast<double>(
            m_attention->pairs(own, {base * m_base, std::min((base + 1) * m_base, tokens())}));
        if (seen == 0) continue;
        const auto from = static_cast<std::size_t>(baseRow * (baseRow + 1) / 2 + base),
                   cell = static_cast<std::size_t>(row * grid.columns + column);
        sum[static_cast<std::size_t>(column)] += seen * static_cast<double>(means[from]);
        pairs[static_cast<std::size_t>(column)] += seen;
        if (!(data.max[cell] >= highest[from])) data.max[cell] = highest[from];
      }
    }
  }
  for (std::size_t column = 0; column < sum.size(); ++column) {
    if (pairs[column] > 0)
      data.mean[static_cast<std::size_t>(row * grid.columns) + column] =
          static_cast<float>(sum[column] / pairs[column]);
  }
}

void AttentionMap::positionRow(const Grid& grid, std::int64_t row, AttentionData& data) const {
  const TokenRange queries = data.queriesOf(row);
  for (std::int64_t column = 0; column < grid.columns; ++column) {
    const TokenRange keys = data.keysOf(column);
    double sum = 0, count = 0;
    TokenRange distances{tokens(), 0};
    for (std::int64_t query = queries.first; query < queries.end; ++query) {
      const TokenRange seen = m_attention->keysOf(query);
      const std::int64_t first = std::max(seen.first, keys.first), end = std::min(seen.end, keys.end);
      if (first >= end) continue;
      const auto nearest = static_cast<std::size_t>(query - end + 1),
                 past = static_cast<std::size_t>(query - first + 1);
      sum += m_distanceSums[past] - m_distanceSums[nearest];
      count += m_distanceCounts[past] - m_distanceCounts[nearest];
      distances = {std::min(distances.first, query - end + 1), std::max(distances.end, query - first + 1)};
    }
    if (count == 0) continue;
    const auto cell = static_cast<std::size_t>(row * grid.columns + column);
    data.mean[cell] = static_cast<float>(sum / count);
    for (std::int64_t d = distances.first; d < distances.end; ++d) {
      const auto mean = static_cast<float>(m_distances.mean[static_cast<std::size_t>(d)]);
      if (!(data.max[cell] >= mean) && std::isfinite(mean)) data.max[cell] = mean;
    }
  }
}

}  // namespace plastiscope
