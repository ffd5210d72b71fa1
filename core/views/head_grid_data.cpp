#include "core/views/head_grid_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/analysis/statistics.h"
#include "core/base/error.h"

namespace plastiscope {

namespace {

void findRange(HeadGridData& grid) {
  Extent extent;
  for (const HeadGridCell& cell : grid.cells) {
    if (cell.captured) extent.add(cell.value);
  }
  auto [low, high] = extent.known() ? extent : Extent{0, 1};
  if (grid.metric.isSigned) {
    high = std::max(std::fabs(low), std::fabs(high));
    low = -high;
  }
  if (low == high) {  // a single value: widen the range so that it can be drawn
    const double half = low == 0 ? 0.5 : std::fabs(low) / 2;
    low -= half;
    high += half;
  }
  grid.low = low;
  grid.high = high;
}

}  // namespace

void findSpreads(HeadGridData& grid) {
  grid.spreads.clear();
  for (std::int64_t layer = 0; layer < grid.layers; ++layer) {
    std::vector<double> values;
    for (std::int64_t head = 0; head < grid.heads; ++head) {
      const HeadGridCell& cell = grid.at(layer, head);
      if (cell.captured) values.push_back(cell.value);
    }
    grid.spreads.push_back(headSpread(values));
  }
}

namespace {

// Merges heads into cells: the mean of those that have a value.
void gather(HeadGridData& grid, std::int64_t members) {
  std::vector<HeadGridCell> cells;
  const std::int64_t heads = grid.heads / members;
  for (const HeadGridCell& head : grid.cells) grid.captured.push_back(head.captured);
  for (std::int64_t i = 0; i < grid.layers * heads; ++i) {
    HeadGridCell cell;
    MeanOf mean;
    for (std::int64_t k = 0; k < members; ++k) {
      const HeadGridCell& head = grid.at(i / heads, i % heads * members + k);
      if (!head.captured) continue;
      cell = head;
      mean.add(head.value);
    }
    cell.value = mean.value();
    cells.push_back(cell);
  }
  grid.cells = std::move(cells);
  grid.heads = heads;
  grid.members = members;
  grid.groupSize = 1;
}

// The cells of each layer from the lowest to the highest value; cells without a value come last.
std::vector<std::int64_t> byValue(const HeadGridData& grid) {
  std::vector<std::int64_t> placed;
  const auto value = [&grid](std::int64_t cell) {
    const HeadGridCell& at = grid.cells[static_cast<std::size_t>(cell)];
    const double missing = std::numeric_limits<double>::infinity();
    return std::pair(!at.captured, at.captured && std::isfinite(at.value) ? at.value : missing);
  };
  for (std::int64_t layer = 0; layer < grid.layers; ++layer) {
    for (std::int64_t head = 0; head < grid.heads; ++head) placed.push_back(layer * grid.heads + head);
    std::stable_sort(placed.end() - grid.heads, placed.end(),
                     [&](std::int64_t a, std::int64_t b) { return value(a) < value(b); });
  }
  return placed;
}

// Heads missing in `similar` come last.
std::vector<std::int64_t> bySimilarity(const HeadGridData& grid, std::span<const HeadName> similar) {
  std::vector<std::int64_t> placed;
  std::vector<bool> known(grid.cells.size(), false);
  for (const HeadName& head : similar) {
    if (head.layer >= grid.layers || head.head >= grid.heads) continue;
    placed.push_back(head.layer * grid.heads + head.head);
    known[static_cast<std::size_t>(placed.back())] = true;
  }
  for (std::size_t cell = 0; cell < known.size(); ++cell) {
    if (!known[cell]) placed.push_back(static_cast<std::int64_t>(cell));
  }
  return placed;
}

void arrange(HeadGridData& grid, const HeadGridShape& shape) {
  grid.order = shape.order;
  if (shape.order == HeadOrder::Value) grid.placed = byValue(grid);
  if (shape.order == HeadOrder::Similar && grid.members == 1) grid.placed = bySimilarity(grid, shape.similar);
}

// The most informative metrics of a head, in this order; those that an analysis lacks are left out.
constexpr std::array kTellingMetrics = {"ap_overall", "ap_drop", "bias_window",
                                        "r_q_a",      "r_k_a",   "separation_strength"};
constexpr std::size_t kMaxLines = 6;

}  // namespace

HeadGridData makeHeadGrid(std::shared_ptr<const AnalysisFile> analysis, const StudyFacts& facts,
                          const std::string& column, const HeadGridShape& shape) {
  const Table& heads = requiredTable(*analysis, "heads");
  HeadGridData grid;
  grid.metric = requiredMetric(heads, column);
  grid.layers = facts.layers;
  grid.heads = facts.queryHeads;
  grid.groupSize = facts.groupSize();
  grid.withoutVectors = facts.withoutVectors;
  grid.cells.assign(static_cast<std::size_t>(grid.layers * grid.heads), {});
  const HeadColumns names(heads);
  const NumberColumn values(heads, column);
  for (std::size_t row = 0; row < heads.rows(); ++row) {
    const HeadName name = names[row];
    if (name.layer >= grid.layers || name.head >= grid.heads) continue;
    HeadGridCell& cell = grid.cells[static_cast<std::size_t>(name.layer * grid.heads + name.head)];
    const std::string attention = textAt(heads, "attention", row);
    const bool windowed = attention == "sliding" || attention == "chunked";
    cell = {true, textAt(heads, "rope", row) == "false", windowed, values[row]};
  }
  findSpreads(grid);
  if (shape.show == HeadShow::KeyGroups && grid.groupSize > 1) gather(grid, grid.groupSize);
  if (shape.show == HeadShow::Layers && grid.heads > 1) gather(grid, grid.heads);
  for (const HeadGridCell& cell : grid.cells) {
    if (!cell.captured)
      ++grid.notCaptured;
    else if (std::isfinite(cell.value))
      grid.ranked.push_back(cell.value), ++grid.shown;
    else
      ++grid.missing;
  }
  std::ranges::sort(grid.ranked);
  findRange(grid);
  arrange(grid, shape);
  grid.source = std::move(analysis);
  grid.plasticity = shape.plasticity;
  return grid;
}

HeadName HeadGridData::cellAt(std::int64_t place) const {
  const std::int64_t cell = placed.empty() ? place : placed[static_cast<std::size_t>(place)];
  return {cell / heads, cell % heads};
}

std::vector<HeadName> HeadGridData::headsOf(HeadName cell) const {
  std::vector<HeadName> all;
  for (std::int64_t k = 0; k < members; ++k) {
    const HeadName head{cell.layer, cell.head * members + k};
    const auto place = static_cast<std::size_t>(head.layer * heads * members + head.head);
    if (members > 1 ? captured[place] : at(cell.layer, cell.head).captured) all.push_back(head);
  }
  return all;
}

std::string HeadGridData::nameOf(HeadName cell) const {
  if (members == 1) return cell.text();
  if (heads == 1) return "layer " + std::to_string(cell.layer);
  return "L" + std::to_string(cell.layer) + " KV" + std::to_string(cell.head);
}

std::string rankText(const HeadGridData& grid, double value) {
  if (!std::isfinite(value) || grid.ranked.size() < 2) return {};
  const auto [first, last] = std::ranges::equal_range(grid.ranked, value);
  const auto lower = first - grid.ranked.begin(), higher = grid.ranked.end() - last;
  const bool low = lower <= higher;
  return withCommas(1 + std::min(lower, higher)) + " of " +
         withCommas(static_cast<std::int64_t>(grid.ranked.size())) + (low ? " from lowest" : " from highest");
}

std::vector<CardLine> headCard(const HeadGridData& grid, HeadName cell) {
  std::vector<CardLine> card;
  if (grid.source == nullptr) return card;
  const Table& heads = requiredTable(*grid.source, "heads");
  const auto row = headRow(*grid.source, cell);
  if (grid.members == 1 && !row) return card;
  const double value = grid.at(cell.layer, cell.head).value;
  card.push_back({grid.metric.label, metricText(value, grid.metric)});
  if (const std::string rank = rankText(grid, value); !rank.empty()) card.push_back({"rank", rank});
  if (grid.members > 1) {
    card.push_back({"mean of", std::to_string(grid.members) + " heads"});
    return card;
  }
  const std::size_t most = card.size() + kMaxLines;
  const auto add = [&](const std::string& label, const std::string& text) {
    if (!text.empty() && card.size() < most) card.push_back({label, text});
  };
  std::string taxonomy = textAt(heads, "taxonomy", *row);
  std::ranges::replace(taxonomy, '_', ' ');
  add("class", taxonomy);
  if (!std::isfinite(value) && columnAs(ApKind::Binned, grid.metric.column) != grid.metric.column)
    add("no value", missingAligned(heads, *row));
  for (const char* telling : kTellingMetrics) {
    const std::string column = columnAs(grid.plasticity, telling);
    if (column == grid.metric.column || heads.find(column) == nullptr) continue;
    const MetricInfo metric = describeMetric(column);
    add(metric.label, metricText(numberAt(heads, column, *row), metric));
  }
  return card;
}

}  // namespace plastiscope
