#pragma once
// SIMD vector types for kernels of several register widths. Every width adds in the same order, so results
// differ only by the rounding of fused multiply-adds. Included only by kernel sources.
#include "core/analysis/row_kernels.h"
#include "core/base/register_width.h"

namespace plastiscope {

typedef double TwoDoubles [[gnu::vector_size(2 * sizeof(double))]];
typedef double FourDoubles [[gnu::vector_size(4 * sizeof(double))]];
[[gnu::always_inline]] inline double sumOfTwo(const TwoDoubles& x) {
  return x[0] + x[1];
}
[[gnu::always_inline]] inline double sumOfFour(const FourDoubles& x) {
  return sumOfTwo(__builtin_shufflevector(x, x, 0, 1) + __builtin_shufflevector(x, x, 2, 3));
}

// kLanes numbers in as many registers as the instruction set needs.
template <int Width>
struct Lanes {
  typedef double Vector [[gnu::vector_size(Width * sizeof(double))]];
  typedef unsigned long long Bits [[gnu::vector_size(Width * sizeof(double))]];
  typedef double Unaligned [[gnu::vector_size(Width * sizeof(double)), gnu::aligned(8), gnu::may_alias]];
  static constexpr int kParts = static_cast<int>(kLanes) / Width;
  static const Unaligned& at(const double* place) { return *reinterpret_cast<const Unaligned*>(place); }
  static Unaligned& at(double* place) { return *reinterpret_cast<Unaligned*>(place); }
  Vector part[kParts] = {};

  [[gnu::always_inline]] inline double sum() const {
    if constexpr (Width == 8)
      return sumOfFour(__builtin_shufflevector(part[0], part[0], 0, 1, 2, 3) +
                       __builtin_shufflevector(part[0], part[0], 4, 5, 6, 7));
    else if constexpr (Width == 4)
      return sumOfFour(part[0] + part[1]);
    else
      return sumOfTwo((part[0] + part[2]) + (part[1] + part[3]));
  }
};

}  // namespace plastiscope
