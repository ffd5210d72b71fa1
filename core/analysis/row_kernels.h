#pragma once
// The inner loops over whole rows: reflection, sums and powers of columns, products with one direction. The
// same bits on every processor, as in pair_kernels.h.
#include <cstddef>
#include <cstdint>
#include <span>

namespace plastiscope {

// out[i] = x - 2 u (u.x) / (u.u) - shift for x = row which[i] of `rows`, [.., columns]; rows of `out` have
// paddedLength(columns) numbers, zeros past the columns. `reflector` u and `shift`, [columns], may be null:
// then nothing is taken off. squares[i] = |x|^2.
void reflectRows(const double* rows, std::ptrdiff_t columns, std::span<const std::int64_t> which,
                 const double* reflector, const double* shift, double* out, double* squares);

// Widens a row; false when one of its numbers is not finite.
bool widenRow(const float* row, std::ptrdiff_t columns, double* out);

// sums[c] += sum over rows of x[c].
void addColumnSums(const double* rows, std::ptrdiff_t columns, std::ptrdiff_t count, double* sums);

// sums[c] += sum over rows of (x[c] - mean[c])^2; `columns` is a padded length, as in the next one.
void addColumnSquares(const double* rows, std::ptrdiff_t columns, std::ptrdiff_t count, const double* mean,
                      double* sums);

// Sums over rows of (x[c] - mean[c])^p, p = 2, 3, 4, into sums [3, columns].
void addColumnPowers(const double* rows, std::ptrdiff_t columns, std::ptrdiff_t count, const double* mean,
                     double* sums);

// out[r] = (x - mean) . direction for rows of any length.
void projectRows(const double* rows, std::ptrdiff_t columns, std::ptrdiff_t count, const double* mean,
                 const double* direction, double* out);

}  // namespace plastiscope
