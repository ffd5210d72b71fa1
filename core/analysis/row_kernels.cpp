#include "core/analysis/row_kernels.h"

#include <algorithm>
#include <vector>

#include "core/analysis/lanes.h"

namespace plastiscope {

namespace {

// A reflection of padded rows; no pointer is null.
struct PaddedReflection {
  const double* reflector;
  double scale;  // 2 / (u.u), or 0
  const double* shift;
};

struct ReflectKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(RowBlock rows, std::span<const std::int64_t> which,
                                                PaddedReflection by, double* out, double* squares) {
    using L = Lanes<Width>;
    const std::ptrdiff_t length = paddedLength(rows.columns);
    for (std::size_t i = 0; i < which.size(); ++i) {
      double* to = out + static_cast<std::ptrdiff_t>(i) * length;
      const double* from = rows.row(which[i]);
      if (rows.columns < length) {
        std::copy_n(from, rows.columns, to);
        std::fill(to + rows.columns, to + length, 0.0);
        from = to;
      }
      L square, along;
      for (std::ptrdiff_t c = 0; c < length; c += kLanes) {
        const L x = L::load(from + c);
        square += x * x;
        along += x * L::load(by.reflector + c);
      }
      squares[i] = square.sum();
      const L factor = L::all(by.scale * along.sum());
      for (std::ptrdiff_t c = 0; c < length; c += kLanes)
        (L::load(from + c) - factor * L::load(by.reflector + c) - L::load(by.shift + c)).store(to + c);
    }
  }
};

struct WidenKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const float* row, std::ptrdiff_t columns, double* out,
                                                bool* finite) {
    using R = Register<Width>;
    typedef float Narrow [[gnu::vector_size(Width * sizeof(float)), gnu::aligned(4), gnu::may_alias]];
    const std::ptrdiff_t whole = columns / kLanes * kLanes;
    typename R::Vector found = {};  // zero as long as all values are finite
    for (std::ptrdiff_t c = 0; c < whole; c += Width) {
      const auto x = __builtin_convertvector(*reinterpret_cast<const Narrow*>(row + c), typename R::Vector);
      R::at(out + c) = x;
      found += x * 0.0;
    }
    double rest = 0;
    for (int k = 0; k < Width; ++k) rest += found[k];
    for (std::ptrdiff_t c = whole; c < columns; ++c) {
      out[c] = static_cast<double>(row[c]);
      rest += out[c] * 0.0;
    }
    *finite = rest == 0;
  }
};

// Sum of a tile of columns starting at `column`; a tile stays in registers during the loop over rows.
enum class Sum { Plain, Squares, Powers };

template <Sum kSum, int Groups, int Width>
[[gnu::always_inline]] inline void sumTile(const RowBlock& rows, std::ptrdiff_t column, const double* mean,
                                           double* sums) {
  using R = Register<Width>;
  constexpr int kRegisters = Groups * Lanes<Width>::kParts;
  typename R::Vector first[kRegisters] = {}, second[kRegisters] = {}, third[kRegisters] = {};
  for (std::ptrdiff_t r = 0; r < rows.count; ++r) {
    const double* place = rows.row(r) + column;
#pragma GCC unroll 16
    for (int k = 0; k < kRegisters; ++k) {
      typename R::Vector x = R::at(place + k * Width);
      if constexpr (kSum == Sum::Plain) {
        first[k] += x;
      } else {
        x -= R::at(mean + column + k * Width);
        const typename R::Vector square = x * x;
        first[k] += square;
        if constexpr (kSum == Sum::Powers) {
          second[k] += square * x;
          third[k] += square * square;
        }
      }
    }
  }
  for (int k = 0; k < kRegisters; ++k) {
    double* place = sums + column + k * Width;
    R::at(place) += first[k];
    if constexpr (kSum == Sum::Powers) {
      R::at(place + rows.columns) += second[k];
      R::at(place + 2 * rows.columns) += third[k];
    }
  }
}

template <Sum kSum>
struct SumKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(RowBlock rows, const double* mean, double* sums) {
    // Independent sums hide the latency of additions.
    constexpr int kGroups = kSum == Sum::Powers ? 1 : 4;
    std::ptrdiff_t c = 0;
    for (; c + kGroups * kLanes <= rows.columns; c += kGroups * kLanes)
      sumTile<kSum, kGroups, Width>(rows, c, mean, sums);
    for (; c + kLanes <= rows.columns; c += kLanes) sumTile<kSum, 1, Width>(rows, c, mean, sums);
    if constexpr (kSum == Sum::Plain) {
      for (; c < rows.columns; ++c) {
        double sum = 0;
        for (std::ptrdiff_t r = 0; r < rows.count; ++r) sum += rows.row(r)[c];
        sums[c] += sum;
      }
    }
  }
};

struct ProjectKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(RowBlock rows, const double* mean, const double* direction,
                                                double* out) {
    using L = Lanes<Width>;
    const std::ptrdiff_t whole = rows.columns / kLanes * kLanes;
    for (std::ptrdiff_t r = 0; r < rows.count; ++r) {
      const double* x = rows.row(r);
      L along;
      for (std::ptrdiff_t c = 0; c < whole; c += kLanes)
        along += (L::load(x + c) - L::load(mean + c)) * L::load(direction + c);
      double sum = along.sum();
      for (std::ptrdiff_t c = whole; c < rows.columns; ++c) sum += (x[c] - mean[c]) * direction[c];
      out[r] = sum;
    }
  }
};

}  // namespace

void reflectRows(const RowBlock& rows, std::span<const std::int64_t> which, const Reflection& reflection,
                 double* out, double* squares) {
  const auto length = static_cast<std::size_t>(paddedLength(rows.columns));
  std::vector<double> u(length, 0.0), off(length, 0.0);
  if (reflection.shift != nullptr) std::copy_n(reflection.shift, rows.columns, off.begin());
  double scale = 0;
  if (reflection.reflector != nullptr) {
    std::copy_n(reflection.reflector, rows.columns, u.begin());
    double square = 0;
    for (const double value : u) square += value * value;
    scale = 2 / square;
  }
  runKernel<ReflectKernel>(rows, which, PaddedReflection{u.data(), scale, off.data()}, out, squares);
}

bool widenRow(const float* row, std::ptrdiff_t columns, double* out) {
  bool finite = false;
  runKernel<WidenKernel>(row, columns, out, &finite);
  return finite;
}

void addColumnSums(const RowBlock& rows, double* sums) {
  const double* const noMean = sums;  // not read by a plain sum
  runKernel<SumKernel<Sum::Plain>>(rows, noMean, sums);
}

void addColumnSquares(const RowBlock& rows, const double* mean, double* sums) {
  runKernel<SumKernel<Sum::Squares>>(rows, mean, sums);
}

void addColumnPowers(const RowBlock& rows, const double* mean, double* sums) {
  runKernel<SumKernel<Sum::Powers>>(rows, mean, sums);
}

void projectRows(const RowBlock& rows, const double* mean, const double* direction, double* out) {
  runKernel<ProjectKernel>(rows, mean, direction, out);
}

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
  using R = Register<Width>;
  typename R::Vector low[Rows] = {}, high[Rows] = {};
  for (std::ptrdiff_t r = 0; r < of.count; ++r) {
    const typename R::Vector right = R::at(of.low + r * of.rightStride);
    const typename R::Vector rightHigh = R::at(of.high + r * of.rightStride);
#pragma GCC unroll 8
    for (int k = 0; k < Rows; ++k) {
      const typename R::Vector left = of.left[r * of.leftStride + k] - typename R::Vector{};
      low[k] += left * right;
      high[k] += left * rightHigh;
    }
  }
#pragma GCC unroll 8
  for (int k = 0; k < Rows; ++k) {
    double* place = sums + k * stride;
    R::at(place) += low[k];
    R::at(place + Width) += high[k];
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
  using R = Register<Width>;
  constexpr int kParts = static_cast<int>(kGramPanel) / Width;
  typename R::Vector total[Panels * kParts] = {};
  for (std::ptrdiff_t r = 0; r < rows; ++r) {
    const typename R::Vector weight = t[r] - typename R::Vector{};
#pragma GCC unroll 8
    for (int k = 0; k < Panels * kParts; ++k) {
      const double* place = x + gramPlace(rows, r, j + k / kParts * kGramPanel) + k % kParts * Width;
      total[k] += R::at(place) * weight;
    }
  }
  for (int k = 0; k < Panels * kParts; ++k) R::at(sums + j + k * Width) += total[k];
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
    using R = Register<Width>;
    const std::ptrdiff_t whole = rows.columns / kGramPanel * kGramPanel;
    for (std::ptrdiff_t r = 0; r < rows.count; ++r) {
      const double* from = rows.row(r);
      double* to = panels + r * kGramPanel;
      for (std::ptrdiff_t c = 0; c < whole; c += kGramPanel, to += rows.count * kGramPanel) {
#pragma GCC unroll 8
        for (std::ptrdiff_t k = 0; k < kGramPanel; k += Width)
          R::at(to + k) = R::at(from + c + k) - R::at(mean + c + k);
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
