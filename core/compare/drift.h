#pragma once
// Measures how far the vectors of two captures of the same rows differ: the same model with other weights (a
// quantised file, another precision, another program).
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/store/capture_file.h"
#include "core/views/head_grid_data.h"

namespace plastiscope {

// Sums over the rows of one text: 1, angles, changes of norms, |a|^2, |b - a|^2.
using TextDrift = std::array<double, 5>;

// One head and kind; rows are compared one by one.
struct HeadDrift {
  std::int64_t layer = 0, head = 0;              // query head, or key head
  std::string kind;                              // "query", "key"
  std::int64_t rows = 0;                         // compared
  std::int64_t skipped = 0;                      // not finite or zero in either capture
  double meanAngle = 0, maxAngle = 0;            // degrees
  double meanNormChange = 0, maxNormChange = 0;  // | |b| - |a| | / |a|
  double medianError = 0, maxError = 0;          // |b - a| / |a|, over rows
  double squares = 0, differenceSquares = 0;     // sums over rows of |a|^2 and |b - a|^2
  std::vector<TextDrift> texts = {};             // [texts]
  double relativeRms() const;                    // sqrt(differenceSquares / squares)
};

// The heads of both captures in order: query heads, then key heads, of each layer. InputError if window, head
// size, texts or captured heads differ.
std::vector<RowPlace> driftPlaces(const CaptureFile& first, const CaptureFile& second);
// Drift of one head. InputError if the rows differ in positions or examples. Without comparable rows its
// angles and changes are NaN.
HeadDrift driftOf(const CaptureFile& first, const CaptureFile& second, const RowPlace& place);

// Columns: layer, head, kind, rows, skipped, mean_angle, largest_angle, mean_norm_change,
// largest_norm_change, relative_rms, largest_relative_error; for heads also median_relative_error; for layers
// also 95 % intervals of the means and of relative_rms over texts (delete-a-group jackknife, text e in group
// e mod 100)
Table driftHeadsTable(const std::vector<HeadDrift>& heads);  // drift_heads.csv
Table driftTable(const std::vector<HeadDrift>& heads);       // drift.csv: by layer and kind

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

// `heads`: number of query or key heads of a layer. Heads without drift count as not captured. UsageError for
// an unknown column.
HeadGridData driftGrid(const std::vector<HeadDrift>& drift, const DriftChoice& choice, std::int64_t layers,
                       std::int64_t heads);

}  // namespace plastiscope
