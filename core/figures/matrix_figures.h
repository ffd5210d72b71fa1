#pragma once
// The matrix of a comparison (core/compare/compare_matrix.h): each cell as a plot with the axes and colours
// of its row, and all of them as one figure. The window and files draw the same cells.
#include <optional>

#include "core/compare/compare_matrix.h"
#include "core/figures/figures.h"

namespace plastiscope {

// What is marked in all columns at once.
struct MatrixCursor {
  std::optional<double> position;  // share of the window, or tokens, as the matrix shows them
  std::optional<MapCell> cell;     // of the first map that is there
};
struct MatrixCell {
  Plot plot;
  std::string note;     // rich: "L12H6 0.662", "+0.053 [0.029, 0.076]"; may be empty
  std::string missing;  // why there is no plot; "" when there is one
};
MatrixCell matrixCell(const CompareMatrix& matrix, MatrixRow row, std::size_t column,
                      const MatrixCursor& cursor = {});
// Of the colours of a row; nothing where it has none.
std::optional<ColourScale> matrixScale(const CompareMatrix& matrix, MatrixRow row);
// What a row shows, in one line: "AP, mean over heads, less the baseline".
std::string matrixRowText(const CompareMatrix& matrix, MatrixRow row);
// Its axes and what else is drawn, rich: "across: query position<br>dashed: the baseline"; "" where labels
// say it.
std::string matrixAxesText(const CompareMatrix& matrix, MatrixRow row);

// "+0.053 [0.029, 0.076]", "−0.012, no difference shown"; "" where it is not known.
std::string differenceText(const MatrixEstimate& difference, const MetricInfo& metric);
// Where the head of a cell of a grid stands, from a place on its axes; nothing outside of all.
std::optional<HeadName> headAt(const HeadGridData& grid, double x, double y);

// `width`: of the figure, in points: it decides how names break and what stands below each other. UsageError
// where that is less than 22.5 for each input.
Plot matrixPlot(const CompareMatrix& matrix, double width);

}  // namespace plastiscope
