#pragma once
// One body, compiled for several instruction sets; the widest that the processor has runs. Kernels use
// element-wise operations and sums of fixed shape only, without fused multiply-add, so that all versions give
// the same bits. Included by kernel sources alone.
#include "core/analysis/row_kernels.h"

namespace plastiscope {

// kLanes numbers in as many registers as the instruction set needs, summed in one fixed order whatever the
// registers hold.
template <int Width>
struct Lanes {
  typedef double Vector [[gnu::vector_size(Width * sizeof(double))]];
  typedef double Unaligned [[gnu::vector_size(Width * sizeof(double)), gnu::aligned(8), gnu::may_alias]];
  static constexpr int kParts = static_cast<int>(kLanes) / Width;
  static const Unaligned& at(const double* place) { return *reinterpret_cast<const Unaligned*>(place); }
  static Unaligned& at(double* place) { return *reinterpret_cast<Unaligned*>(place); }
  Vector part[kParts] = {};

  [[gnu::always_inline]] inline double sum() const {
    double lane[kLanes];
    for (int i = 0; i < static_cast<int>(kLanes); ++i) lane[i] = part[i / Width][i % Width];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
  }
};

// A kernel is a type with a function run<Width>(arguments ...), Width: the numbers that one register holds.
template <typename Kernel, typename... Arguments>
void runWithTwo(Arguments... arguments) {
  Kernel::template run<2>(arguments...);
}

#if defined(__x86_64__) && defined(__GNUC__)
template <typename Kernel, typename... Arguments>
[[gnu::target("arch=x86-64-v3")]] void runWithFour(Arguments... arguments) {
  Kernel::template run<4>(arguments...);
}

template <typename Kernel, typename... Arguments>
[[gnu::target("arch=x86-64-v4,prefer-vector-width=512")]] void runWithEight(Arguments... arguments) {
  Kernel::template run<8>(arguments...);
}
#endif

// The numbers that one register of this processor holds: 2, 4 or 8.
inline int registerWidth() {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd")) {
    return 8;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
    return 4;
#endif
  return 2;
}

template <typename Kernel, typename... Arguments>
void runKernel(Arguments... arguments) {
  static void (*const kernel)(Arguments...) = [] {
#if defined(__x86_64__) && defined(__GNUC__)
    const int width = registerWidth();
    if (width == 8) return &runWithEight<Kernel, Arguments...>;
    if (width == 4) return &runWithFour<Kernel, Arguments...>;
#endif
    return &runWithTwo<Kernel, Arguments...>;
  }();
  kernel(arguments...);
}

}  // namespace plastiscope
