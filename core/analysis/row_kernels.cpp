#include "core/analysis/row_kernels.h"

#include <algorithm>
#include <vector>

#include "core/analysis/lanes.h"

namespace plastiscope {

namespace {

struct ReflectKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const double* rows, std::ptrdiff_t columns,
                                                std::span<const std::int64_t> which, const double* reflector,
                                                double scale, const double* shift, double* out,
                                                double* squares) {
    using L = Lanes<Width>;
    const std::ptrdiff_t length = paddedLength(columns);
    for (std::size_t i = 0; i < which.size(); ++i) {
      double* to = out + static_cast<std::ptrdiff_t>(i) * length;
      const double* from = rows + which[i] * columns;
      if (columns < length) {
        std::copy_n(from, columns, to);
        std::fill(to + columns, to + length, 0.0);
        from = to;
      }
      L square, along;
      for (std::ptrdiff_t c = 0; c < length; c += kLanes) {
#pragma GCC unroll 4
        for (int k = 0; k < L::kParts; ++k) {
          const typename L::Vector x = L::at(from + c + k * Width);
          square.part[k] += x * x;
          along.part[k] += x * L::at(reflector + c + k * Width);
        }
      }
      squares[i] = square.sum();
      const typename L::Vector factor = scale * along.sum() - typename L::Vector{};
      for (std::ptrdiff_t c = 0; c < length; c += Width)
        L::at(to + c) = L::at(from + c) - factor * L::at(reflector + c) - L::at(shift + c);
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
    L found;  // stays zero while all is finite
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

// What a tile of columns adds up; a tile stays in registers while the rows pass by.
enum class Sum { Plain, Squares, Powers };

template <Sum kSum, int Groups, int Width>
[[gnu::always_inline]] inline void sumTile(const double* rows, std::ptrdiff_t columns, std::ptrdiff_t count,
                                           const double* mean, double* sums) {
  using L = Lanes<Width>;
  constexpr int kRegisters = Groups * L::kParts;
  typename L::Vector first[kRegisters] = {}, second[kRegisters] = {}, third[kRegisters] = {};
  for (std::ptrdiff_t r = 0; r < count; ++r) {
#pragma GCC unroll 16
    for (int k = 0; k < kRegisters; ++k) {
      typename L::Vector x = L::at(rows + r * columns + k * Width);
      if constexpr (kSum == Sum::Plain) {
        first[k] += x;
      } else {
        x -= L::at(mean + k * Width);
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
    L::at(sums + k * Width) += first[k];
    if constexpr (kSum == Sum::Powers) {
      L::at(sums + columns + k * Width) += second[k];
      L::at(sums + 2 * columns + k * Width) += third[k];
    }
  }
}

template <Sum kSum, int Width>
[[gnu::always_inline]] inline void sumBody(const double* rows, std::ptrdiff_t columns, std::ptrdiff_t count,
                                           const double* mean, double* sums) {
  constexpr int kGroups =
      kSum == Sum::Powers ? 1 : 4;  // independent sums hide the time that an addition takes
  std::ptrdiff_t c = 0;
  for (; c + kGroups * kLanes <= columns; c += kGroups * kLanes)
    sumTile<kSum, kGroups, Width>(rows + c, columns, count, mean + c, sums + c);
  for (; c + kLanes <= columns; c += kLanes)
    sumTile<kSum, 1, Width>(rows + c, columns, count, mean + c, sums + c);
  if constexpr (kSum == Sum::Plain) {
    for (; c < columns; ++c) {
      double sum = 0;
      for (std::ptrdiff_t r = 0; r < count; ++r) sum += rows[r * columns + c];
      sums[c] += sum;
    }
  }
}
struct PlainKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const double* rows, std::ptrdiff_t columns,
                                                std::ptrdiff_t count, const double* mean, double* sums) {
    sumBody<Sum::Plain, Width>(rows, columns, count, mean, sums);
  }
};
struct SquaresKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const double* rows, std::ptrdiff_t columns,
                                                std::ptrdiff_t count, const double* mean, double* sums) {
    sumBody<Sum::Squares, Width>(rows, columns, count, mean, sums);
  }
};
struct PowersKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const double* rows, std::ptrdiff_t columns,
                                                std::ptrdiff_t count, const double* mean, double* sums) {
    sumBody<Sum::Powers, Width>(rows, columns, count, mean, sums);
  }
};

struct ProjectKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const double* rows, std::ptrdiff_t columns,
                                                std::ptrdiff_t count, const double* mean,
                                                const double* direction, double* out) {
    using L = Lanes<Width>;
    const std::ptrdiff_t whole = columns / kLanes * kLanes;
    for (std::ptrdiff_t r = 0; r < count; ++r) {
      const double* x = rows + r * columns;
      L along;
      for (std::ptrdiff_t c = 0; c < whole; c += kLanes) {
#pragma GCC unroll 4
        for (int k = 0; k < L::kParts; ++k) {
          const std::ptrdiff_t place = c + k * Width;
          along.part[k] += (L::at(x + place) - L::at(mean + place)) * L::at(direction + place);
        }
      }
      double sum = along.sum();
      for (std::ptrdiff_t c = whole; c < columns; ++c) sum += (x[c] - mean[c]) * direction[c];
      out[r] = sum;
    }
  }
};

}  // namespace

void reflectRows(const double* rows, std::ptrdiff_t columns, std::span<const std::int64_t> which,
                 const double* reflector, const double* shift, double* out, double* squares) {
  const auto length = static_cast<std::size_t>(paddedLength(columns));
  std::vector<double> u(length, 0.0), off(length, 0.0);
  if (shift != nullptr) std::copy_n(shift, columns, off.begin());
  double scale = 0;
  if (reflector != nullptr) {
    std::copy_n(reflector, columns, u.begin());
    double square = 0;
    for (const double value : u) square += value * value;
    scale = 2 / square;
  }
  runKernel<ReflectKernel>(rows, columns, which, u.data(), scale, off.data(), out, squares);
}

bool widenRow(const float* row, std::ptrdiff_t columns, double* out) {
  bool finite = false;
  runKernel<WidenKernel>(row, columns, out, &finite);
  return finite;
}

void addColumnSums(const double* rows, std::ptrdiff_t columns, std::ptrdiff_t count, double* sums) {
  runKernel<PlainKernel>(rows, columns, count, sums, sums);  // a plain sum reads no mean
}

void addColumnSquares(const double* rows, std::ptrdiff_t columns, std::ptrdiff_t count, const double* mean,
                      double* sums) {
  runKernel<SquaresKernel>(rows, columns, count, mean, sums);
}

void addColumnPowers(const double* rows, std::ptrdiff_t columns, std::ptrdiff_t count, const double* mean,
                     double* sums) {
  runKernel<PowersKernel>(rows, columns, count, mean, sums);
}

void projectRows(const double* rows, std::ptrdiff_t columns, std::ptrdiff_t count, const double* mean,
                 const double* direction, double* out) {
  runKernel<ProjectKernel>(rows, columns, count, mean, direction, out);
}

}  // namespace plastiscope
