#pragma once
// Inside core/figures only: what the cells of a matrix are made of.
#include <string>

#include "core/figures/matrix_figures.h"

namespace plastiscope {

bool isLess(const CompareMatrix& matrix, MatrixRow row, std::size_t column);  // shows differences
// A cell has its row's title beside it and its column's name above.
MatrixCell cellOf(Plot plot);
MatrixCell cellOf(Box box);
// A frame around what is marked in all columns.
Mark frameMark(double x0, double x1, double y0, double y1);
std::string valueText(double value, bool less);  // "0.662", as a difference "+0.053"

// A cell without values: why there are none, or none to subtract.
MatrixCell emptyCell(const CompareMatrix& matrix, MatrixRow row, std::size_t column, bool ownValues = false);

// Along the window (matrix_curves.cpp).
MatrixCell profileCell(const CompareMatrix& matrix, std::size_t column, const MatrixCursor& cursor);
MatrixCell quintilesCell(const CompareMatrix& matrix, std::size_t column, const MatrixCursor& cursor);
MatrixCell lossCell(const CompareMatrix& matrix, std::size_t column, const MatrixCursor& cursor);

}  // namespace plastiscope
