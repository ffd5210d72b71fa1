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
#pragma GCC unroll 4
        for (int k = 0; k < L::kParts; ++k) {
          const typename L::Vector x = L::at(from + c + k * Width);
          square.part[k] += x * x;
          along.part[k] += x * L::at(by.reflector + c + k * Width);
        }
      }
      squares[i] = square.sum();
      const typename L::Vector factor = by.scale * along.sum() - typename L::Vector{};
      for (std::ptrdiff_t c = 0; c < length; c += Width)
        L::at(to + c) = L::at(from + c) - factor * L::at(by.reflector + c) - L::at(by.shift + c);
    }
  }
};

struct WidenKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const float* row, std::ptrdiff_t columns, double* out,
                                                bool* finite) {
    using L = Lanes<Width>;
    typedef float Narrow [[gnu::vector_size(Width * sizeof(float)), gnu::aligned(4), gnu::may_alias]];
    const std::ptrdiff_t whole = columns / kLanes * kLanes;
    L found;  // zero as long as all values are finite
    for (std::ptrdiff_t c = 0; c < whole; c += kLanes) {
#pragma GCC unroll 4
      for (int k = 0; k < L::kParts; ++k) {
        const std::ptrdiff_t place = c + k * Width;
        const auto x =
            __builtin_convertvector(*reinterpret_cast<const Narrow*>(row + place), typename L::Vector);
        L::at(out + place) = x;
        found.part[k] += x * 0.0;
      }
    }
    double rest = found.sum();
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
  using L = Lanes<Width>;
  constexpr int kRegisters = Groups * L::kParts;
  typename L::Vector first[kRegisters] = {}, second[kRegisters] = {}, third[kRegisters] = {};
  for (std::ptrdiff_t r = 0; r < rows.count; ++r) {
    const double* place = rows.row(r) + column;
#pragma GCC unroll 16
    for (int k = 0; k < kRegisters; ++k) {
      typename L::Vector x = L::at(place + k * Width);
      if constexpr (kSum == Sum::Plain) {
        first[k] += x;
      } else {
        x -= L::at(mean + column + k * Width);
        const typename L::Vector square = x * x;
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
    L::at(place) += first[k];
    if constexpr (kSum == Sum::Powers) {
      L::at(place + rows.columns) += second[k];
      L::at(place + 2 * rows.columns) += third[k];
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
      for (std::ptrdiff_t c = 0; c < whole; c += kLanes) {
#pragma GCC unroll 4
        for (int k = 0; k < L::kParts; ++k) {
          const std::ptrdiff_t place = c + k * Width;
          along.part[k] += (L::at(x + place) - L::at(mean + place)) * L::at(direction + place);
        }
      }
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

}  // namespace plastiscope
