#include "core/views/head_grid_data.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/statistics.h"
#include "core/base/error.h"
#include "core/views/study_facts.h"

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
  if (low == high) {  // one value for all: keep it inside a range that can be drawn
    const double half = low == 0 ? 0.5 : std::fabs(low) / 2;
    low -= half;
    high += half;
  }
  grid.low = low;
  grid.high = high;
}

}  // namespace

HeadGridData makeHeadGrid(std::shared_ptr<const AnalysisFile> analysis, const StudyFacts& facts,
                          const std::string& column) {
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
    ++(std::isfinite(cell.value) ? grid.shown : grid.missing);
  }
  grid.notCaptured = grid.layers * grid.heads - grid.shown - grid.missing;
  findRange(grid);
  grid.source = std::move(analysis);
  return grid;
}

std::vector<CardLine> headCard(const AnalysisFile& analysis, HeadName head) {
  const Table& heads = requiredTable(analysis, "heads");
  std::vector<CardLine> card;
  const auto row = headRow(heads, head);
  if (!row) return card;
  const auto addText = [&](const std::string& label, const std::string& value) {
    if (!value.empty()) card.push_back({"Head", label, value, ""});
  };
  addText("key head", metricText(numberAt(heads, "kv_head", *row)));
  addText("attention", textAt(heads, "attention", *row));
  addText("RoPE", textAt(heads, "rope", *row) == "false" ? "none (NoPE layer)" : "yes");
  std::string taxonomy = textAt(heads, "taxonomy", *row);
  std::replace(taxonomy.begin(), taxonomy.end(), '_', ' ');
  addText("class", taxonomy);
  for (const MetricInfo& metric : metricsOf(heads)) {
    card.push_back(
        {metric.group, metric.label, metricText(numberAt(heads, metric.column, *row), metric), metric.unit});
  }
  return card;
}

}  // namespace plastiscope
