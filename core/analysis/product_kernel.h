#pragma once
// Weighted sums of many rows at once: what a bootstrap makes of sums per example.
#include <cstddef>

namespace plastiscope {

inline constexpr std::ptrdiff_t kProductRows = 4, kProductColumns = 16;
// The next multiple of a tile; numbers past the end are zero.
constexpr std::ptrdiff_t productRows(std::ptrdiff_t rows) {
  return (rows + kProductRows - 1) / kProductRows * kProductRows;
}
constexpr std::ptrdiff_t productColumns(std::ptrdiff_t columns) {
  return (columns + kProductColumns - 1) / kProductColumns * kProductColumns;
}

// sums[i, j] += sum over e of weights[e, i] * values[e, j], e ascending. weights [count, rows], values
// [count, columns], sums [rows, columns], row by row; rows and columns as the functions above say.
void addProducts(const double* weights, std::ptrdiff_t rows, const double* values, std::ptrdiff_t columns,
                 std::ptrdiff_t count, double* sums);

}  // namespace plastiscope
