#pragma once
// Drift between two captures as a grid of layers x heads.
#include <span>

#include "core/compare/drift.h"
#include "core/views/head_grid_data.h"

namespace plastiscope {

struct DriftMeasure {
  std::string column;  // of drift_heads.csv
  std::string title;   // plain words
  std::string unit;
  double (*of)(const HeadDrift& head);
};
std::span<const DriftMeasure> driftMeasures();

struct DriftChoice {
  std::string kind = "query";  // or "key"
  std::string column = "median_relative_error";
};

// `heads`: query heads, or key heads, of a layer. Heads without drift count as not captured. UsageError for a
// column that is no measure.
HeadGridData driftGrid(const std::vector<HeadDrift>& drift, const DriftChoice& choice, std::int64_t layers,
                       std::int64_t heads);

}  // namespace plastiscope
