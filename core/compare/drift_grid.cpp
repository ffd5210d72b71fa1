#include "core/compare/drift_grid.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"

namespace plastiscope {

namespace {

const std::array<DriftMeasure, 5>& measures() {
  static const std::array<DriftMeasure, 5> kMeasures = {{
      {"median_relative_error", "relative error, median", "",
       [](const HeadDrift& head) { return head.medianError; }},
      {"largest_relative_error", "relative error, largest", "",
       [](const HeadDrift& head) { return head.maxError; }},
      {"relative_rms", "relative error, root mean square", "",
       [](const HeadDrift& head) { return head.relativeRms(); }},
      {"mean_angle", "angle, mean", "degrees", [](const HeadDrift& head) { return head.meanAngle; }},
      {"mean_norm_change", "change of length, mean", "",
       [](const HeadDrift& head) { return head.meanNormChange; }},
  }};
  return kMeasures;
}

const DriftMeasure& requiredMeasure(const std::string& column) {
  std::vector<std::string> known;
  for (const DriftMeasure& measure : measures()) {
    if (measure.column == column) return measure;
    known.push_back(measure.column);
  }
  throw UsageError("drift has no " + column + "; did you mean " + nearestName(column, known) + "?");
}

}  // namespace

std::span<const DriftMeasure> driftMeasures() {
  return measures();
}

HeadGridData driftGrid(const std::vector<HeadDrift>& drift, const DriftChoice& choice, std::int64_t layers,
                       std::int64_t heads) {
  const DriftMeasure& measure = requiredMeasure(choice.column);
  HeadGridData grid;
  grid.metric.column = measure.column;
  grid.metric.title = grid.metric.label = measure.title;
  grid.metric.unit = measure.unit;
  grid.layers = layers;
  grid.heads = heads;
  grid.cells.resize(static_cast<std::size_t>(layers * heads));
  double high = 0;
  for (const HeadDrift& head : drift) {
    if (head.kind != choice.kind || head.layer >= layers || head.head >= heads) continue;
    HeadGridCell& cell = grid.cells[static_cast<std::size_t>(head.layer * heads + head.head)];
    cell.captured = true;
    cell.value = measure.of(head);
    if (std::isfinite(cell.value)) high = std::max(high, cell.value);
    ++(std::isfinite(cell.value) ? grid.shown : grid.missing);
  }
  grid.notCaptured = layers * heads - grid.shown - grid.missing;
  grid.low = 0;
  grid.high = high > 0 ? high : 1;
  return grid;
}

}  // namespace plastiscope
