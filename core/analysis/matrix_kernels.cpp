#include "core/analysis/matrix_kernels.h"

#include <algorithm>

#include "core/analysis/lanes.h"

namespace plastiscope {

namespace {

// A tile of Rows x (2 * Lanes) sums stays in registers while the rows pass by. Every sum has one accumulator
// and takes the rows in order, so the shape of the tile does not change the result.
template <int Rows, int Lanes>
[[gnu::always_inline]] inline void addGramTile(const double* x, std::ptrdiff_t rows, std::ptrdiff_t length,
                                               std::ptrdiff_t i, std::ptrdiff_t j, double* sums) {
  typedef double Vector [[gnu::vector_size(Lanes * sizeof(double))]];
  typedef double Unaligned [[gnu::vector_size(Lanes * sizeof(double)), gnu::aligned(8), gnu::may_alias]];
  const double* leftPanel = x + gramPlace(rows, 0, i);
  const double* lowPanel = x + gramPlace(rows, 0, j);
  const double* highPanel = x + gramPlace(rows, 0, j + Lanes);
  Vector low[Rows] = {}, high[Rows] = {};
  for (std::ptrdiff_t r = 0; r < rows; ++r) {
    const Vector right = *reinterpret_cast<const Unaligned*>(lowPanel + r * kGramPanel);
    const Vector rightHigh = *reinterpret_cast<const Unaligned*>(highPanel + r * kGramPanel);
#pragma GCC unroll 8
    for (int k = 0; k < Rows; ++k) {
      const Vector left = leftPanel[r * kGramPanel + k] - Vector{};
      low[k] += left * right;
      high[k] += left * rightHigh;
    }
  }
#pragma GCC unroll 8
  for (int k = 0; k < Rows; ++k) {
    double* place = sums + (i + k) * length + j;
    for (int lane = 0; lane < Lanes; ++lane) {
      place[lane] += low[k][lane];
      place[Lanes + lane] += high[k][lane];
    }
  }
}

struct GramKernel {
  template <int Lanes>
  [[gnu::always_inline]] static inline void run(const double* x, std::ptrdiff_t rows, std::ptrdiff_t length,
                                                double* sums) {
    constexpr int kRows = Lanes == 8 ? 8 : 4;  // as many as the registers hold
    for (std::ptrdiff_t j = 0; j < length; j += 2 * Lanes) {
      for (std::ptrdiff_t i = 0; i < j + 2 * Lanes; i += kRows)
        addGramTile<kRows, Lanes>(x, rows, length, i, j, sums);
    }
  }
};

// Sums of Panels panels at once: many independent sums hide the time that an addition takes.
template <int Panels, int Lanes>
[[gnu::always_inline]] inline void weightPanels(const double* x, const double* t, std::ptrdiff_t rows,
                                                std::ptrdiff_t j, double* sums) {
  typedef double Vector [[gnu::vector_size(Lanes * sizeof(double))]];
  typedef double Unaligned [[gnu::vector_size(Lanes * sizeof(double)), gnu::aligned(8), gnu::may_alias]];
  constexpr int kParts = static_cast<int>(kGramPanel) / Lanes;
  Vector total[Panels * kParts] = {};
  for (std::ptrdiff_t r = 0; r < rows; ++r) {
    const Vector weight = t[r] - Vector{};
#pragma GCC unroll 8
    for (int k = 0; k < Panels * kParts; ++k) {
      const double* place = x + gramPlace(rows, r, j + k / kParts * kGramPanel) + k % kParts * Lanes;
      total[k] += *reinterpret_cast<const Unaligned*>(place) * weight;
    }
  }
  for (int k = 0; k < Panels * kParts; ++k) *reinterpret_cast<Unaligned*>(sums + j + k * Lanes) += total[k];
}

struct WeightedRowsKernel {
  template <int Lanes>
  [[gnu::always_inline]] static inline void run(const double* x, const double* t, std::ptrdiff_t rows,
                                                std::ptrdiff_t length, double* sums) {
    static_assert(kGramTile == 2 * kGramPanel);
    std::ptrdiff_t j = 0;
    for (; j + 4 * kGramPanel <= length; j += 4 * kGramPanel) weightPanels<4, Lanes>(x, t, rows, j, sums);
    for (; j < length; j += 2 * kGramPanel) weightPanels<2, Lanes>(x, t, rows, j, sums);
  }
};

struct CentreKernel {
  template <int Lanes>
  [[gnu::always_inline]] static inline void run(const double* rows, std::ptrdiff_t count,
                                                std::ptrdiff_t columns, const double* mean, double* panels) {
    typedef double Unaligned [[gnu::vector_size(Lanes * sizeof(double)), gnu::aligned(8), gnu::may_alias]];
    const std::ptrdiff_t whole = columns / kGramPanel * kGramPanel;
    for (std::ptrdiff_t r = 0; r < count; ++r) {
      const double* from = rows + r * columns;
      double* to = panels + r * kGramPanel;
      for (std::ptrdiff_t c = 0; c < whole; c += kGramPanel, to += count * kGramPanel) {
#pragma GCC unroll 8
        for (std::ptrdiff_t k = 0; k < kGramPanel; k += Lanes)
          *reinterpret_cast<Unaligned*>(to + k) = *reinterpret_cast<const Unaligned*>(from + c + k) -
                                                  *reinterpret_cast<const Unaligned*>(mean + c + k);
      }
      for (std::ptrdiff_t c = whole; c < columns; ++c) to[c - whole] = from[c] - mean[c];
    }
  }
};

constexpr std::ptrdiff_t kDepth = 64;  // rows of values that stay in the cache

// Rows x kProductColumns sums stay in registers while the rows pass by.
template <int Rows, int Lanes>
[[gnu::always_inline]] inline void addProductTile(const double* weights, std::ptrdiff_t rows,
                                                  const double* values, std::ptrdiff_t columns,
                                                  std::ptrdiff_t count, double* sums) {
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

struct PanelProductsKernel {
  template <int Lanes>
  [[gnu::always_inline]] static inline void run(const double* weights, std::ptrdiff_t rows,
                                                const double* values, std::ptrdiff_t columns,
                                                std::ptrdiff_t count, double* sums) {
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
};

}  // namespace

void centreIntoPanels(const double* rows, std::ptrdiff_t count, std::ptrdiff_t columns, const double* mean,
                      double* panels) {
  runKernel<CentreKernel>(rows, count, columns, mean, panels);
}

void addGram(const double* x, std::ptrdiff_t rows, std::ptrdiff_t length, double* sums) {
  runKernel<GramKernel>(x, rows, length, sums);
}

void addWeightedRows(const double* x, const double* t, std::ptrdiff_t rows, std::ptrdiff_t length,
                     double* sums) {
  runKernel<WeightedRowsKernel>(x, t, rows, length, sums);
}

void addProducts(const double* weights, std::ptrdiff_t rows, const double* values, std::ptrdiff_t columns,
                 std::ptrdiff_t count, double* sums) {
  runKernel<PanelProductsKernel>(weights, rows, values, columns, count, sums);
}

}  // namespace plastiscope
