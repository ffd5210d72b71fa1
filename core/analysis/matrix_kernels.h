#pragma once
// Products of matrices with sums in the order of the rows: what most of the time of PCA, rotation and
// resamples goes into. Processors differ as in row_kernels.h.
#include "core/analysis/row_kernels.h"

namespace plastiscope {

// For addGram, rows lie in panels: eight columns of all rows one after the other, so that a kernel reads
// memory in order.
inline constexpr std::ptrdiff_t kGramPanel = 8;  // columns
inline constexpr std::ptrdiff_t kGramTile = 16;
// Columns that the kernels need for so many: a multiple of kGramTile; those past the end hold zeros.
constexpr std::ptrdiff_t gramLength(std::ptrdiff_t columns) {
  return (columns + kGramTile - 1) / kGramTile * kGramTile;
}
// Place of a number in the panels of `rows` rows.
constexpr std::ptrdiff_t gramPlace(std::ptrdiff_t rows, std::ptrdiff_t row, std::ptrdiff_t column) {
  return (column / kGramPanel * rows + row) * kGramPanel + column % kGramPanel;
}

// Rows less `mean` into panels; numbers past the columns stay as they are.
void centreIntoPanels(const RowBlock& rows, const double* mean, double* panels);

// sums[i, j] += sum over rows of x[row, i] * x[row, j] for all i <= j; other entries may change too.
// x: panels of `rows` rows and `length` columns, a gramLength; sums [length, length], row by row.
void addGram(const double* x, std::ptrdiff_t rows, std::ptrdiff_t length, double* sums);

// sums[j] += sum over rows of x[row, j] * t[row]; sums [length].
void addWeightedRows(const double* x, const double* t, std::ptrdiff_t rows, std::ptrdiff_t length,
                     double* sums);

// For addProducts.
inline constexpr std::ptrdiff_t kProductRows = 4, kProductColumns = 16;
// The next multiple of a tile; numbers past the end are zero.
constexpr std::ptrdiff_t productRows(std::ptrdiff_t rows) {
  return (rows + kProductRows - 1) / kProductRows * kProductRows;
}
constexpr std::ptrdiff_t productColumns(std::ptrdiff_t columns) {
  return (columns + kProductColumns - 1) / kProductColumns * kProductColumns;
}

// sums[i, j] += sum over e of weights[e, i] * values[e, j], e ascending; sums [rows, columns], row by row.
// weights [count, rows] and values [count, columns] of one count, rows and columns as the functions above
// say.
void addProducts(const RowBlock& weights, const RowBlock& values, double* sums);

}  // namespace plastiscope
