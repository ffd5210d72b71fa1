#pragma once
// One body, compiled for several instruction sets; the widest that the processor has is chosen at run time.
// Kernels use element-wise operations and sums of fixed shape only, without fused multiply-add, so that all
// versions give the same bits. Included by kernel sources alone.

#if defined(__x86_64__) && defined(__GNUC__)
#define PLASTISCOPE_WIDE 1
#else
#define PLASTISCOPE_WIDE 0
#endif

#define PLASTISCOPE_INLINE [[gnu::always_inline]] inline

#if PLASTISCOPE_WIDE
#define PLASTISCOPE_V4 [[gnu::target("arch=x86-64-v4,prefer-vector-width=512")]]
#define PLASTISCOPE_V3 [[gnu::target("arch=x86-64-v3")]]
#endif

namespace plastiscope {

template <typename Function>
Function* widestOf([[maybe_unused]] Function* v4, [[maybe_unused]] Function* v3, Function* plain) {
#if PLASTISCOPE_WIDE
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd")) {
    return v4;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
    return v3;
#endif
  return plain;
}

}  // namespace plastiscope

// PLASTISCOPE_KERNEL(name, body, (parameters), (arguments)) defines name##Chosen(), the version to call.
// `body` is a template over the numbers that one register holds.
#if PLASTISCOPE_WIDE
#define PLASTISCOPE_KERNEL(name, body, parameters, arguments) \
  PLASTISCOPE_V4 void name##V4 parameters {                   \
    body<8> arguments;                                        \
  }                                                           \
  PLASTISCOPE_V3 void name##V3 parameters {                   \
    body<4> arguments;                                        \
  }                                                           \
  void name##Plain parameters {                               \
    body<2> arguments;                                        \
  }                                                           \
  auto name##Chosen() {                                       \
    return widestOf(name##V4, name##V3, name##Plain);         \
  }
#else
#define PLASTISCOPE_KERNEL(name, body, parameters, arguments) \
  void name##Plain parameters {                               \
    body<2> arguments;                                        \
  }                                                           \
  auto name##Chosen() {                                       \
    return name##Plain;                                       \
  }
#endif
