#pragma once
// Cells of a comparison matrix. Private to core/figures.
#include <string>

#include "core/figures/matrix_figures.h"

namespace plastiscope {

bool isLess(const CompareMatrix& matrix, MatrixRow row, std::size_t column);  // differences are shown
// Cell without its row's title and its column's name, which stand beside and above it.
MatrixCell cellOf(Plot plot);
MatrixCell cellOf(Box box);
// Frame around the place marked in all columns.
Mark frameMark(double x0, double x1, double y0, double y1);
std::string valueText(double value, bool less);  // "0.662", as a difference "+0.053"

// Cell without values: the reason why it has none, or nothing to subtract.
MatrixCell emptyCell(const CompareMatrix& matrix, MatrixRow row, std::size_t column, bool ownValues = false);

// Cells along the window (matrix_curves.cpp).
MatrixCell profileCell(const CompareMatrix& matrix, std::size_t column, const MatrixCursor& cursor);
MatrixCell quintilesCell(const CompareMatrix& matrix, std::size_t column, const MatrixCursor& cursor);
MatrixCell lossCell(const CompareMatrix& matrix, std::size_t column, const MatrixCursor& cursor);

}  // namespace plastiscope
