#pragma once
// Inner loops over whole rows: reflection, sums and powers of columns, products with one direction. Sums have
// a fixed order; processors differ only by the rounding of fused multiply-adds.
#include <cstddef>
#include <cstdint>
#include <span>

namespace plastiscope {

inline constexpr std::ptrdiff_t kLanes = 8;
// Row length for kernels over pairs and reflected rows: a multiple of kLanes; the padding is zero.
constexpr std::ptrdiff_t paddedLength(std::ptrdiff_t length) {
  return (length + kLanes - 1) / kLanes * kLanes;
}

// Consecutive rows, [count, columns]. `count` is not used if rows are given by index.
struct RowBlock {
  const double* data = nullptr;
  std::ptrdiff_t columns = 0, count = 0;
  const double* row(std::ptrdiff_t i) const { return data + i * columns; }
};

// x -> x - 2 u (u.x) / (u.u) - shift, both [columns]; null: that term is left out.
struct Reflection {
  const double* reflector = nullptr;  // u
  const double* shift = nullptr;
};
// out[i] = the image of row which[i]; rows of `out` have paddedLength(columns) numbers, zeros past the
// columns. squares[i] = |x|^2.
void reflectRows(const RowBlock& rows, std::span<const std::int64_t> which, const Reflection& reflection,
                 double* out, double* squares);

// Converts a row to float64; false if a value is not finite.
bool widenRow(const float* row, std::ptrdiff_t columns, double* out);

// sums[c] += sum over rows of x[c].
void addColumnSums(const RowBlock& rows, double* sums);

// sums[c] += sum over rows of (x[c] - mean[c])^2; `columns` is a padded length, as in the next one.
void addColumnSquares(const RowBlock& rows, const double* mean, double* sums);

// Sums over rows of (x[c] - mean[c])^p, p = 2, 3, 4, into sums [3, columns].
void addColumnPowers(const RowBlock& rows, const double* mean, double* sums);

// out[r] = (x - mean) . direction for rows of any length.
void projectRows(const RowBlock& rows, const double* mean, const double* direction, double* out);

// ---- Matrix products that sum in the order of rows: the most expensive operations of PCA, rotation and
// resamples.

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
