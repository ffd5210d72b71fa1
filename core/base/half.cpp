#include "core/base/half.h"

#include <Eigen/Core>

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace plastiscope {

namespace {

#if defined(__x86_64__) && defined(__GNUC__)
// Converts eight numbers at a time with F16C; returns how many are done.
[[gnu::target("avx,f16c")]] std::size_t convertEights(std::span<const std::uint16_t> in, float* out) {
  std::size_t done = 0;
  for (; done + 8 <= in.size(); done += 8) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in.data() + done));
    _mm256_storeu_ps(out + done, _mm256_cvtph_ps(halves));
  }
  return done;
}
// Not every compiler accepts "f16c" in __builtin_cpu_supports: read CPUID leaf 1.
bool hasF16c() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __builtin_cpu_supports("avx") && __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
std::size_t convertMost(std::span<const std::uint16_t> in, float* out) {
  static const bool fast = hasF16c();
  return fast ? convertEights(in, out) : 0;
}
#else
std::size_t convertMost(std::span<const std::uint16_t>, float*) {
  return 0;
}
#endif

}  // namespace

float halfToFloat(std::uint16_t bits) {
  return Eigen::half_impl::half_to_float(Eigen::half_impl::raw_uint16_to_half(bits));
}

std::uint16_t floatToHalf(float value) {
  return Eigen::numext::bit_cast<std::uint16_t>(Eigen::half(value));
}

void halfToFloat(std::span<const std::uint16_t> in, std::span<float> out) {
  for (std::size_t i = convertMost(in, out.data()); i < in.size(); ++i) out[i] = halfToFloat(in[i]);
}

void floatToHalf(std::span<const float> in, std::span<std::uint16_t> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = floatToHalf(in[i]);
}

}  // namespace plastiscope
