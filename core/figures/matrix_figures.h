#pragma once
// Matrix of a comparison (core/compare/compare_matrix.h): each cell as a plot with the axes and colours of
// its row, and all cells as one figure. The window and files draw the same cells.
#include "core/figures/matrix_cells.h"

namespace plastiscope {

MatrixCell matrixCell(const CompareMatrix& matrix, MatrixRow row, std::size_t column,
                      const MatrixCursor& cursor = {});
// Colour scale of a row; nullopt if it has none.
std::optional<ColourScale> matrixScale(const CompareMatrix& matrix, MatrixRow row);
// Description of a row in one line: "AP, mean over heads, less the baseline".
std::string matrixRowText(const CompareMatrix& matrix, MatrixRow row);
// Axes and other elements of a row, rich: "across: query position<br>dashed: the baseline"; "" where labels
// explain them.
std::string matrixAxesText(const CompareMatrix& matrix, MatrixRow row);

// "+0.053 [0.029, 0.076]", "−0.012, no difference shown"; "" where unknown.
std::string differenceText(const MatrixEstimate& difference, const MetricInfo& metric);
// `width`: of the figure, in points; determines line breaks of names and what is stacked. UsageError for less
// than 22.5 points per input.
Plot matrixPlot(const CompareMatrix& matrix, double width);

}  // namespace plastiscope
