#include "core/analysis/matrix_kernels.h"

#include <algorithm>

#include "core/analysis/lanes.h"

namespace plastiscope {

namespace {

// Operands of a tile: `count` rows of the left matrix, `leftStride` apart, and two registers of right
// columns, `rightStride` apart.
struct TileOperands {
  const double* left;
  std::ptrdiff_t leftStride;
  const double *low, *high;
  std::ptrdiff_t rightStride, count;
};

// sums[k, j] += sum over rows of left[k] * right[j]: Rows x (2 * Width) sums, whose rows lie `stride` apart,
// stay in registers. Every sum has one accumulator and adds the rows in order, so the shape of the tile does
// not change the result.
template <int Rows, int Width>
[[gnu::always_inline]] inline void addTile(const TileOperands& of, double* sums, std::ptrdiff_t stride) {
  using L = Lanes<Width>;
  typename L::Vector low[Rows] = {}, high[Rows] = {};
  for (std::ptrdiff_t r = 0; r < of.count; ++r) {
    const typename L::Vector right = L::at(of.low + r * of.rightStride);
    const typename L::Vector rightHigh = L::at(of.high + r * of.rightStride);
#pragma GCC unroll 8
    for (int k = 0; k < Rows; ++k) {
      const typename L::Vector left = of.left[r * of.leftStride + k] - typename L::Vector{};
      low[k] += left * right;
      high[k] += left * rightHigh;
    }
  }
#pragma GCC unroll 8
  for (int k = 0; k < Rows; ++k) {
    double* place = sums + k * stride;
    L::at(place) += low[k];
    L::at(place + Width) += high[k];
  }
}

struct GramKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const double* x, std::ptrdiff_t rows, std::ptrdiff_t length,
                                                double* sums) {
    constexpr int kRows = Width == 8 ? 8 : 4;  // fits the registers
    for (std::ptrdiff_t j = 0; j < length; j += 2 * Width) {
      for (std::ptrdiff_t i = 0; i < j + 2 * Width; i += kRows) {
        const TileOperands operands{x + gramPlace(rows, 0, i),         kGramPanel, x + gramPlace(rows, 0, j),
                                    x + gramPlace(rows, 0, j + Width), kGramPanel, rows};
        addTile<kRows, Width>(operands, sums + i * length + j, length);
      }
    }
  }
};

// Sums of several panels at once: many independent sums hide the latency of additions.
template <int Panels, int Width>
[[gnu::always_inline]] inline void weightPanels(const double* x, const double* t, std::ptrdiff_t rows,
                                                std::ptrdiff_t j, double* sums) {
  using L = Lanes<Width>;
  constexpr int kParts = static_cast<int>(kGramPanel) / Width;
  typename L::Vector total[Panels * kParts] = {};
  for (std::ptrdiff_t r = 0; r < rows; ++r) {
    const typename L::Vector weight = t[r] - typename L::Vector{};
#pragma GCC unroll 8
    for (int k = 0; k < Panels * kParts; ++k) {
      const double* place = x + gramPlace(rows, r, j + k / kParts * kGramPanel) + k % kParts * Width;
      total[k] += L::at(place) * weight;
    }
  }
  for (int k = 0; k < Panels * kParts; ++k) L::at(sums + j + k * Width) += total[k];
}

struct WeightedRowsKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const double* x, const double* t, std::ptrdiff_t rows,
                                                std::ptrdiff_t length, double* sums) {
    static_assert(kGramTile == 2 * kGramPanel);
    std::ptrdiff_t j = 0;
    for (; j + 4 * kGramPanel <= length; j += 4 * kGramPanel) weightPanels<4, Width>(x, t, rows, j, sums);
    for (; j < length; j += 2 * kGramPanel) weightPanels<2, Width>(x, t, rows, j, sums);
  }
};

struct CentreKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(RowBlock rows, const double* mean, double* panels) {
    using L = Lanes<Width>;
    const std::ptrdiff_t whole = rows.columns / kGramPanel * kGramPanel;
    for (std::ptrdiff_t r = 0; r < rows.count; ++r) {
      const double* from = rows.row(r);
      double* to = panels + r * kGramPanel;
      for (std::ptrdiff_t c = 0; c < whole; c += kGramPanel, to += rows.count * kGramPanel) {
#pragma GCC unroll 8
        for (std::ptrdiff_t k = 0; k < kGramPanel; k += Width)
          L::at(to + k) = L::at(from + c + k) - L::at(mean + c + k);
      }
      for (std::ptrdiff_t c = whole; c < rows.columns; ++c) to[c - whole] = from[c] - mean[c];
    }
  }
};

constexpr std::ptrdiff_t kDepth = 64;  // rows of values that stay in the cache

struct ProductKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(RowBlock weights, RowBlock values, double* sums) {
    const std::ptrdiff_t columns = values.columns;
    for (std::ptrdiff_t j = 0; j < columns; j += kProductColumns) {
      for (std::ptrdiff_t e = 0; e < values.count; e += kDepth) {
        const std::ptrdiff_t depth = std::min(kDepth, values.count - e);
        for (std::ptrdiff_t i = 0; i < weights.columns; i += kProductRows) {
          for (std::ptrdiff_t part = j; part < j + kProductColumns; part += 2 * Width) {
            const double* right = values.row(e) + part;
            const TileOperands operands{weights.row(e) + i, weights.columns, right,
                                        right + Width,      columns,         depth};
            addTile<kProductRows, Width>(operands, sums + i * columns + part, columns);
          }
        }
      }
    }
  }
};

}  // namespace

void centreIntoPanels(const RowBlock& rows, const double* mean, double* panels) {
  runKernel<CentreKernel>(rows, mean, panels);
}

void addGram(const double* x, std::ptrdiff_t rows, std::ptrdiff_t length, double* sums) {
  runKernel<GramKernel>(x, rows, length, sums);
}

void addWeightedRows(const double* x, const double* t, std::ptrdiff_t rows, std::ptrdiff_t length,
                     double* sums) {
  runKernel<WeightedRowsKernel>(x, t, rows, length, sums);
}

void addProducts(const RowBlock& weights, const RowBlock& values, double* sums) {
  runKernel<ProductKernel>(weights, values, sums);
}

}  // namespace plastiscope
