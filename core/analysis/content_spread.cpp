#include "core/analysis/content_spread.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/binned_queries.h"
#include "core/analysis/head_analysis.h"
#include "core/analysis/wide_kernels.h"

namespace plastiscope {

namespace {

// sums[c] += sum over pairs with a PP of (keys[first, c] - keys[second, c])^2 for Count * Lanes columns from
// c on.
template <int Count, int Lanes>
PLASTISCOPE_INLINE void addColumns(const double* keys, std::ptrdiff_t width, const KeyPair* pairs,
                                   const double* pp, std::ptrdiff_t count, std::ptrdiff_t c, double* sums) {
  typedef double Vector [[gnu::vector_size(Lanes * sizeof(double))]];
  typedef double Unaligned [[gnu::vector_size(Lanes * sizeof(double)), gnu::aligned(8), gnu::may_alias]];
  Vector total[Count] = {};
  for (std::ptrdiff_t p = 0; p < count; ++p) {
    if (!(pp[p] == pp[p])) continue;  // missing
    const double* first = keys + pairs[p].first * width + c;
    const double* second = keys + pairs[p].second * width + c;
#pragma GCC unroll 8
    for (int k = 0; k < Count; ++k) {
      const Vector difference = *reinterpret_cast<const Unaligned*>(first + k * Lanes) -
                                *reinterpret_cast<const Unaligned*>(second + k * Lanes);
      total[k] += difference * difference;
    }
  }
  for (int k = 0; k < Count; ++k) {
    for (int lane = 0; lane < Lanes; ++lane) sums[c + k * Lanes + lane] += total[k][lane];
  }
}

template <int Lanes>
PLASTISCOPE_INLINE void squaredDifferencesBody(const double* keys, std::ptrdiff_t width, const KeyPair* pairs,
                                               const double* pp, std::ptrdiff_t count, double* sums) {
  std::ptrdiff_t c = 0;
  for (; c + 8 * Lanes <= width; c += 8 * Lanes) addColumns<8, Lanes>(keys, width, pairs, pp, count, c, sums);
  for (; c < width; ++c) addColumns<1, 1>(keys, width, pairs, pp, count, c, sums);
}

PLASTISCOPE_KERNEL(squaredDifferences, squaredDifferencesBody,
                   (const double* keys, std::ptrdiff_t width, const KeyPair* pairs, const double* pp,
                    std::ptrdiff_t count, double* sums),
                   (keys, width, pairs, pp, count, sums))

}  // namespace

ContentSpread::ContentSpread(const KeySide& keys, const QueryModel& model, std::int64_t bins)
    : m_keys(model.reflected(gatheredRows(keys.rows.vectors, keys.order.row))),
      m_squares(Matrix::Zero(bins, keys.rows.headDim())) {}

void ContentSpread::add(std::int64_t bin, std::span<const KeyPair> pairs, const double* pp) {
  static const auto kernel = squaredDifferencesChosen();
  kernel(m_keys.data(), m_keys.cols(), pairs.data(), pp, static_cast<std::ptrdiff_t>(pairs.size()),
         m_squares.row(bin).data());
  m_pairs += std::count_if(pp, pp + pairs.size(), [](double value) { return !std::isnan(value); });
}

double ContentSpread::mean(const Matrix& spread) const {
  if (m_pairs == 0) return kMissing;
  const Eigen::Index content = m_squares.cols() - 1;
  const double sum = m_squares.rightCols(content).cwiseProduct(spread.rightCols(content)).sum();
  return sum / static_cast<double>(m_pairs);
}

}  // namespace plastiscope
