#include "core/analysis/pair_kernels.h"

#include <bit>
#include <cmath>

// One body, compiled for several instruction sets; the widest that the processor has is chosen at run time.
// Only element-wise operations and sums of fixed shape are used, so all of them give the same bits.
#if defined(__x86_64__) && defined(__GNUC__)
#define PLASTISCOPE_WIDE 1
#else
#define PLASTISCOPE_WIDE 0
#endif

namespace plastiscope {

namespace {

#define PLASTISCOPE_INLINE [[gnu::always_inline]] inline

// erfc(x) = exp(-x^2) g(t) / (x + 4) with t = (x - 4) / (x + 4): Chebyshev interpolation of g on [-1, 1], as
// powers of t (made with 80 digits; largest relative error 2e-17 before rounding).
constexpr double kErfc[] = {
    0x1.18932bf08e154p+0,   -0x1.f3fe31ecb49c3p-1,  0x1.8be202d26c6cbp-1,   -0x1.14eacb1ad01ecp-1,
    0x1.52cac23711721p-2,   -0x1.645fd8a4c47cbp-3,  0x1.38dbd2c87c6a0p-4,   -0x1.b00c0529207f1p-6,
    0x1.908f4760fc4abp-8,   -0x1.269b570fe1d51p-12, -0x1.dd285a1973fa6p-12, 0x1.72cdccc3f98c7p-13,
    -0x1.e7c64ad1644d8p-19, -0x1.3c71694c13d2cp-16, 0x1.3ae68ab35dbdbp-18,  0x1.7e81927a1cc82p-20,
    -0x1.c4ee983b5f9acp-21, -0x1.4648ca9db905bp-24, 0x1.0720ee7a34afcp-23,  0x1.c4e6eec28bf03p-31,
    -0x1.066d6e5972346p-26, 0x1.23dc4089147d6p-32,  0x1.4be1ee5d97426p-30};
// exp(r) on |r| <= ln(2) / 2, the same way.
constexpr double kExp[] = {0x1.0000000000000p+0,  0x1.0000000000000p+0,  0x1.0000000000011p-1,
                           0x1.5555555555562p-3,  0x1.555555554f0b8p-5,  0x1.111111110db6ap-7,
                           0x1.6c16c18800884p-10, 0x1.a01a01b80612dp-13, 0x1.a01991a02d38fp-16,
                           0x1.71dde761afc1bp-19, 0x1.28b410d73d492p-22, 0x1.af786c30b3c3cp-26};
constexpr double kLog2e = 0x1.71547652b82fep+0;
constexpr double kLn2High = 0x1.62e42fee00000p-1, kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kRound = 0x1.8p52;      // adding it rounds to a whole number in the low bits
constexpr double kMostHalfSquare = 708;  // exp(-708) is the smallest result that is a normal number

// Horner's scheme, written out by recursion: a loop inside would keep the loop over pairs from being
// vectorised.
template <std::size_t Order = 0, std::size_t N>
PLASTISCOPE_INLINE double polynomial(const double (&coefficients)[N], double x) {
  if constexpr (Order + 1 == N) {
    return coefficients[Order];
  } else {
    return polynomial<Order + 1>(coefficients, x) * x + coefficients[Order];
  }
}

// exp(-h), 0 <= h <= 708.
PLASTISCOPE_INLINE double expOfMinus(double h) {
  const double shifted = -h * kLog2e + kRound;
  const double n = shifted - kRound;
  const double r = (-h - n * kLn2High) - n * kLn2Low;
  const auto exponent = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
  return polynomial(kExp, r) * std::bit_cast<double>(exponent);
}

PLASTISCOPE_INLINE void plasticityBody(const double* mean, const double* variance, double* pp,
                                       std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const double wanted = mean[i] * mean[i] / (2 * variance[i]);  // z^2 / 2 = x^2
    const double h = wanted < kMostHalfSquare ? wanted : kMostHalfSquare;
    const double x = std::sqrt(h);
    const double r = 1 / (x + 4);
    const double tail = expOfMinus(h) * (polynomial(kErfc, (x - 4) * r) * r);
    pp[i] = wanted < kMostHalfSquare ? tail * (2 - tail) : 0;
  }
}

PLASTISCOPE_INLINE double sumOfLanes(const double (&lanes)[kLanes]) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

PLASTISCOPE_INLINE void distancesBody(const double* rows, std::ptrdiff_t stride,
                                      std::span<const LocalPair> pairs, double* out) {
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const double* a = rows + pairs[p].first * stride;
    const double* b = rows + pairs[p].second * stride;
    double lanes[kLanes] = {};
    for (std::ptrdiff_t c = 0; c < stride; c += kLanes) {
      for (std::ptrdiff_t l = 0; l < kLanes; ++l) {
        const double difference = a[c + l] - b[c + l];
        lanes[l] += difference * difference;
      }
    }
    out[p] = sumOfLanes(lanes);
  }
}

PLASTISCOPE_INLINE void preferencesBody(const double* rows, std::ptrdiff_t stride, std::ptrdiff_t length,
                                        std::span<const LocalPair> pairs, double* out) {
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const double* a = rows + pairs[p].first * stride;
    const double* b = rows + pairs[p].second * stride;
    std::int64_t twice = 0;
    for (std::ptrdiff_t c = 0; c < length; ++c) twice += (a[c] > b[c] ? 1 : 0) + (a[c] >= b[c] ? 1 : 0);
    out[p] = 0.5 * static_cast<double>(twice);
  }
}

// The three versions of one kernel, and the choice among them.
#if PLASTISCOPE_WIDE
#define PLASTISCOPE_KERNEL(name, body, parameters, arguments)                          \
  [[gnu::target("arch=x86-64-v4,prefer-vector-width=512")]] void name##V4 parameters { \
    body arguments;                                                                    \
  }                                                                                    \
  [[gnu::target("arch=x86-64-v3")]] void name##V3 parameters {                         \
    body arguments;                                                                    \
  }                                                                                    \
  void name##Plain parameters {                                                        \
    body arguments;                                                                    \
  }
#else
#define PLASTISCOPE_KERNEL(name, body, parameters, arguments) \
  void name##Plain parameters {                               \
    body arguments;                                           \
  }
#endif

PLASTISCOPE_KERNEL(distances, distancesBody,
                   (const double* rows, std::ptrdiff_t stride, std::span<const LocalPair> pairs, double* out),
                   (rows, stride, pairs, out))
PLASTISCOPE_KERNEL(plasticity, plasticityBody,
                   (const double* mean, const double* variance, double* pp, std::size_t count),
                   (mean, variance, pp, count))
PLASTISCOPE_KERNEL(preferences, preferencesBody,
                   (const double* rows, std::ptrdiff_t stride, std::ptrdiff_t length,
                    std::span<const LocalPair> pairs, double* out),
                   (rows, stride, length, pairs, out))

template <typename Function>
Function* widest([[maybe_unused]] Function* v4, [[maybe_unused]] Function* v3, Function* plain) {
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

#if PLASTISCOPE_WIDE
#define PLASTISCOPE_CHOOSE(name) widest(name##V4, name##V3, name##Plain)
#else
#define PLASTISCOPE_CHOOSE(name) name##Plain
#endif

}  // namespace

void squaredDistances(const double* rows, std::ptrdiff_t stride, std::span<const LocalPair> pairs,
                      double* out) {
  static const auto kernel = PLASTISCOPE_CHOOSE(distances);
  kernel(rows, stride, pairs, out);
}

void plasticityOfPairs(const double* mean, const double* variance, double* pp, std::size_t count) {
  static const auto kernel = PLASTISCOPE_CHOOSE(plasticity);
  kernel(mean, variance, pp, count);
}

void countPreferences(const double* rows, std::ptrdiff_t stride, std::ptrdiff_t length,
                      std::span<const LocalPair> pairs, double* out) {
  static const auto kernel = PLASTISCOPE_CHOOSE(preferences);
  kernel(rows, stride, length, pairs, out);
}

}  // namespace plastiscope
