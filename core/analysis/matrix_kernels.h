#pragma once
// Matrix products that sum in the order of rows: the most expensive operations of PCA, rotation and
// resamples. Processors differ as in row_kernels.h.
#include "core/analysis/row_kernels.h"

namespace plastiscope {

// addGram needs rows in panels: eight columns of all rows, one panel after the other, so that a kernel reads
// memory in order.
inline constexpr std::ptrdiff_t kGramPanel = 8;  // columns
inline constexpr std::ptrdiff_t kGramTile = 16;
// Number of columns padded to a multiple of kGramTile; the padding is zero.
constexpr std::ptrdiff_t gramLength(std::ptrdiff_t columns) {
  return (columns + kGramTile - 1) / kGramTile * kGramTile;
}
// Index of a value in panels of `rows` rows.
constexpr std::ptrdiff_t gramPlace(std::ptrdiff_t rows, std::ptrdiff_t row, std::ptrdiff_t column) {
  return (column / kGramPanel * rows + row) * kGramPanel + column % kGramPanel;
}

// Writes rows minus `mean` into panels; leaves the padding unchanged.
void centreIntoPanels(const RowBlock& rows, const double* mean, double* panels);

// sums[i, j] += sum over rows of x[row, i] * x[row, j] for all i <= j; other entries may change too.
// x: panels of `rows` rows and `length` columns, a gramLength; sums [length, length], row by row.
void addGram(const double* x, std::ptrdiff_t rows, std::ptrdiff_t length, double* sums);

// sums[j] += sum over rows of x[row, j] * t[row]; sums [length].
void addWeightedRows(const double* x, const double* t, std::ptrdiff_t rows, std::ptrdiff_t length,
                     double* sums);

// For addProducts.
inline constexpr std::ptrdiff_t kProductRows = 4, kProductColumns = 16;
// The next multiple of a tile; the padding is zero.
constexpr std::ptrdiff_t productRows(std::ptrdiff_t rows) {
  return (rows + kProductRows - 1) / kProductRows * kProductRows;
}
constexpr std::ptrdiff_t productColumns(std::ptrdiff_t columns) {
  return (columns + kProductColumns - 1) / kProductColumns * kProductColumns;
}

// sums[i, j] += sum over e of weights[e, i] * values[e, j], e ascending; sums [rows, columns], row by row.
// weights [count, rows] and values [count, columns], with rows and columns padded as above.
void addProducts(const RowBlock& weights, const RowBlock& values, double* sums);

}  // namespace plastiscope
