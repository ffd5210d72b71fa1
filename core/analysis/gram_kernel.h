#pragma once
// The product that most of the time of PCA and rotation goes into.
#include <cstddef>

namespace plastiscope {

inline constexpr std::ptrdiff_t kGramTile = 16;
// Length of the rows that addGram needs: a multiple of kGramTile; numbers past the end are zero.
constexpr std::ptrdiff_t gramLength(std::ptrdiff_t length) {
  return (length + kGramTile - 1) / kGramTile * kGramTile;
}

// sums[i, j] += sum over rows of x[row, i] * x[row, j] for all i <= j; other entries may change too.
// x is [rows, length], sums [length, length], both row by row; length is a gramLength.
void addGram(const double* x, std::ptrdiff_t rows, std::ptrdiff_t length, double* sums);

}  // namespace plastiscope
