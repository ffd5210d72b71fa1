#include "core/analysis/product_kernel.h"

#include <algorithm>

#include "core/analysis/wide_kernels.h"

namespace plastiscope {

namespace {

constexpr std::ptrdiff_t kDepth = 64;  // rows of values that stay in the cache

// Rows x kProductColumns sums stay in registers while the rows pass by.
template <int Rows, int Lanes>
PLASTISCOPE_INLINE void addProductTile(const double* weights, std::ptrdiff_t rows, const double* values,
                                       std::ptrdiff_t columns, std::ptrdiff_t count, double* sums) {
  typedef double Vector [[gnu::vector_size(Lanes * sizeof(double))]];
  typedef double Unaligned [[gnu::vector_size(Lanes * sizeof(double)), gnu::aligned(8), gnu::may_alias]];
  constexpr int kParts = static_cast<int>(kProductColumns) / Lanes;
  for (std::ptrdiff_t part = 0; part < kParts; part += 2) {
    Vector low[Rows] = {}, high[Rows] = {};
    for (std::ptrdiff_t e = 0; e < count; ++e) {
      const double* row = values + e * columns + part * Lanes;
      const Vector right = *reinterpret_cast<const Unaligned*>(row);
      const Vector rightHigh = *reinterpret_cast<const Unaligned*>(row + Lanes);
#pragma GCC unroll 4
      for (int k = 0; k < Rows; ++k) {
        const Vector left = weights[e * rows + k] - Vector{};
        low[k] += left * right;
        high[k] += left * rightHigh;
      }
    }
#pragma GCC unroll 4
    for (int k = 0; k < Rows; ++k) {
      double* place = sums + k * columns + part * Lanes;
      for (int lane = 0; lane < Lanes; ++lane) {
        place[lane] += low[k][lane];
        place[Lanes + lane] += high[k][lane];
      }
    }
  }
}

template <int Lanes>
PLASTISCOPE_INLINE void panelProductsBody(const double* weights, std::ptrdiff_t rows, const double* values,
                                          std::ptrdiff_t columns, std::ptrdiff_t count, double* sums) {
  for (std::ptrdiff_t j = 0; j < columns; j += kProductColumns) {
    for (std::ptrdiff_t e = 0; e < count; e += kDepth) {
      const std::ptrdiff_t depth = std::min(kDepth, count - e);
      for (std::ptrdiff_t i = 0; i < rows; i += kProductRows) {
        addProductTile<kProductRows, Lanes>(weights + e * rows + i, rows, values + e * columns + j, columns,
                                            depth, sums + i * columns + j);
      }
    }
  }
}

PLASTISCOPE_KERNEL(panelProducts, panelProductsBody,
                   (const double* weights, std::ptrdiff_t rows, const double* values, std::ptrdiff_t columns,
                    std::ptrdiff_t count, double* sums),
                   (weights, rows, values, columns, count, sums))

}  // namespace

void addProducts(const double* weights, std::ptrdiff_t rows, const double* values, std::ptrdiff_t columns,
                 std::ptrdiff_t count, double* sums) {
  static const auto kernel = panelProductsChosen();
  kernel(weights, rows, values, columns, count, sums);
}

}  // namespace plastiscope
