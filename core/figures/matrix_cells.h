#pragma once
// Cells of a comparison matrix (core/compare/compare_matrix.h) that show a plot: grids, planes, maps, curves
// and quintiles, each with one range for all columns.
#include <optional>
#include <string>

#include "core/compare/compare_matrix.h"
#include "core/figures/figures.h"

namespace plastiscope {

// Place marked in all columns at once.
struct MatrixCursor {
  std::optional<double> position;  // share of the window, or tokens, as the matrix shows them
  std::optional<MapCell> cell;     // in the first available map
};
struct MatrixCell {
  Plot plot;
  std::string note;     // rich: "L12H6 0.662", "+0.053 [0.029, 0.076]"; may be empty
  std::string missing;  // why there is no plot; "" when there is one
};
bool isLess(const CompareMatrix& matrix, MatrixRow row, std::size_t column);  // differences are shown
std::string signedText(double value, const MetricInfo& metric);               // "+0.053"
// Cell without its row's title and its column's name, which stand beside and above it.
MatrixCell cellOf(Box box);
// Cell of any row but the numbers.
MatrixCell plottedCell(const CompareMatrix& matrix, MatrixRow row, std::size_t column,
                       const MatrixCursor& cursor = {});
// The head at a place on the axes of a grid; nullopt outside of all heads.
std::optional<HeadName> headAt(const HeadGridData& grid, double x, double y);

}  // namespace plastiscope
