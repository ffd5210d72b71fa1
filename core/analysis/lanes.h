#pragma once
// SIMD vector types for kernels of several register widths (core/base/register_width.h). Every width adds in
// the same order, so results differ only by the rounding of fused multiply-adds. Included only by kernel
// sources.
#include "core/analysis/row_kernels.h"
#include "core/base/register_width.h"

namespace plastiscope {

template <int Width>
struct Register {
  typedef double Vector [[gnu::vector_size(Width * sizeof(double))]];
  typedef unsigned long long Bits [[gnu::vector_size(Width * sizeof(double))]];
  typedef double Unaligned [[gnu::vector_size(Width * sizeof(double)), gnu::aligned(8), gnu::may_alias]];
  static const Unaligned& at(const double* place) { return *reinterpret_cast<const Unaligned*>(place); }
  static Unaligned& at(double* place) { return *reinterpret_cast<Unaligned*>(place); }
};

template <typename Two>
[[gnu::always_inline]] inline double sumOfTwo(const Two& x) {
  return x[0] + x[1];
}
template <typename Four>
[[gnu::always_inline]] inline double sumOfFour(const Four& x) {
  return sumOfTwo(__builtin_shufflevector(x, x, 0, 1) + __builtin_shufflevector(x, x, 2, 3));
}

// Several registers processed in each step, to hide the latency of the operations.
template <int Width, int Count>
struct Pack {
  using R = Register<Width>;
  static constexpr int kParts = Count;
  static constexpr std::size_t kNumbers = Width * Count;
  typename R::Vector part[Count] = {};

  [[gnu::always_inline]] static inline Pack load(const double* place) {
    Pack pack;
    for (int k = 0; k < Count; ++k) pack.part[k] = R::at(place + k * Width);
    return pack;
  }
  [[gnu::always_inline]] static inline Pack all(double value) {
    Pack pack;
    for (int k = 0; k < Count; ++k) pack.part[k] = value - typename R::Vector{};
    return pack;
  }
  [[gnu::always_inline]] inline void store(double* place) const {
    for (int k = 0; k < Count; ++k) R::at(place + k * Width) = part[k];
  }
  // Adds eight numbers in an order that does not depend on the register width.
  [[gnu::always_inline]] inline double sum() const {
    if constexpr (Width == 8)
      return sumOfFour(__builtin_shufflevector(part[0], part[0], 0, 1, 2, 3) +
                       __builtin_shufflevector(part[0], part[0], 4, 5, 6, 7));
    else if constexpr (Width == 4)
      return sumOfFour(part[0] + part[1]);
    else
      return sumOfTwo((part[0] + part[2]) + (part[1] + part[3]));
  }
  [[gnu::always_inline]] inline Pack& operator+=(const Pack& b) {
    for (int k = 0; k < Count; ++k) part[k] += b.part[k];
    return *this;
  }
  [[gnu::always_inline]] friend inline Pack operator+(Pack a, const Pack& b) { return a += b; }
  [[gnu::always_inline]] friend inline Pack operator-(Pack a, const Pack& b) {
    for (int k = 0; k < Count; ++k) a.part[k] -= b.part[k];
    return a;
  }
  [[gnu::always_inline]] friend inline Pack operator*(Pack a, const Pack& b) {
    for (int k = 0; k < Count; ++k) a.part[k] *= b.part[k];
    return a;
  }
  [[gnu::always_inline]] friend inline Pack operator+(const Pack& a, double b) { return a + all(b); }
  [[gnu::always_inline]] friend inline Pack operator-(const Pack& a, double b) { return a - all(b); }
  [[gnu::always_inline]] friend inline Pack operator-(double a, const Pack& b) { return all(a) - b; }
  [[gnu::always_inline]] friend inline Pack operator*(const Pack& a, double b) { return a * all(b); }
};

// kLanes numbers in as many registers as the instruction set needs.
template <int Width>
using Lanes = Pack<Width, static_cast<int>(kLanes) / Width>;

}  // namespace plastiscope
