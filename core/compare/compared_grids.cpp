#include "core/compare/compared_grids.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plastiscope {

namespace {

// What all heads of the grids reach.
std::pair<double, double> rangeOfGrids(const std::vector<std::shared_ptr<const HeadGridData>>& grids) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  bool isSigned = false;
  for (const auto& grid : grids) {
    if (grid == nullptr) continue;
    isSigned = grid->metric.isSigned;
    for (const HeadGridCell& cell : grid->cells) {
      if (!cell.captured || !std::isfinite(cell.value)) continue;
      low = std::min(low, cell.value);
      high = std::max(high, cell.value);
    }
  }
  if (low > high) return {0, 1};
  if (isSigned) {
    high = std::max(std::fabs(low), std::fabs(high));
    low = -high;
  }
  const double half = low == high ? std::max(0.5, std::fabs(low) / 2) : 0;
  return {low - half, high + half};
}

}  // namespace

ComparedGrids compareGrids(const Comparison& comparison, const std::string& metric) {
  ComparedGrids data;
  for (const ComparedModel& model : comparison.models) {
    const bool known = requiredTable(*model.analysis, "heads").find(metric) != nullptr;
    data.grids.push_back(
        known ? std::make_shared<const HeadGridData>(makeHeadGrid(model.analysis, model.facts, metric))
              : nullptr);
  }
  data.range = rangeOfGrids(data.grids);
  return data;
}

std::shared_ptr<const HeadGridData> differenceGrid(const HeadGridData& first, const HeadGridData& other) {
  if (first.layers != other.layers || first.heads != other.heads) return nullptr;
  auto grid = std::make_shared<HeadGridData>(first);
  grid->source = nullptr;  // its cards would be those of one model
  grid->metric.label = "difference of " + grid->metric.label;
  grid->metric.isSigned = true;
  grid->metric.range.reset();
  grid->shown = grid->missing = grid->notCaptured = 0;
  double reach = 0;
  for (std::size_t i = 0; i < grid->cells.size(); ++i) {
    HeadGridCell& cell = grid->cells[i];
    cell.captured = cell.captured && other.cells[i].captured;
    cell.value = cell.captured ? other.cells[i].value - first.cells[i].value : 0;
    const bool present = std::isfinite(cell.value);
    ++(!cell.captured ? grid->notCaptured : present ? grid->shown : grid->missing);
    if (cell.captured && present) reach = std::max(reach, std::fabs(cell.value));
  }
  grid->high = reach > 0 ? reach : 0.5;
  grid->low = -grid->high;
  return grid;
}

}  // namespace plastiscope
