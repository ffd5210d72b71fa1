#pragma once
// Compiles a kernel for several instruction sets and runs the widest that the processor supports. Include in
// kernel sources only. Clang compiles the narrowest only: its assembly has no registers of 512 bits here.
#include <algorithm>
#include <atomic>

namespace plastiscope {

// A kernel is a type with a function run<Width>(arguments ...); Width is the number of 8-byte values per
// register. Everything it calls must be inlined into it.
template <typename Kernel, typename... Arguments>
void runWithTwo(Arguments... arguments) {
  Kernel::template run<2>(arguments...);
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
template <typename Kernel, typename... Arguments>
[[gnu::target("arch=x86-64-v3")]] void runWithFour(Arguments... arguments) {
  Kernel::template run<4>(arguments...);
}

template <typename Kernel, typename... Arguments>
[[gnu::target("arch=x86-64-v4,prefer-vector-width=512")]] void runWithEight(Arguments... arguments) {
  Kernel::template run<8>(arguments...);
}
#endif

// Number of 8-byte values per register of this processor: 2, 4 or 8.
inline int widestRegister() {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
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

inline std::atomic<int> theRegisterWidth{widestRegister()};

// Width that kernels use: the processor's, or less after limitRegisterWidth().
inline int registerWidth() {
  return theRegisterWidth.load(std::memory_order_relaxed);
}
// Limits the width to `most` until the next call, to test the narrower versions.
inline void limitRegisterWidth(int most) {
  theRegisterWidth = std::min(most, widestRegister());
}

// `width`: at most registerWidth().
template <typename Kernel, typename... Arguments>
void runKernelOf(int width, Arguments... arguments) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  if (width == 8) return runWithEight<Kernel>(arguments...);
  if (width == 4) return runWithFour<Kernel>(arguments...);
#endif
  static_cast<void>(width);
  runWithTwo<Kernel>(arguments...);
}

template <typename Kernel, typename... Arguments>
void runKernel(Arguments... arguments) {
  runKernelOf<Kernel>(registerWidth(), arguments...);
}

}  // namespace plastiscope
