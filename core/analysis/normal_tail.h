#pragma once
// Computes the tail of the normal distribution in kernels. Included only by kernel sources.
#include <cmath>
#include <cstddef>

#include "core/analysis/lanes.h"

namespace plastiscope {

// Several registers processed in each step, to hide the latency of the operations.
template <int Width, int Count>
struct Pack {
  using L = Lanes<Width>;
  static constexpr std::size_t kNumbers = Width * Count;
  typename L::Vector part[Count];

  [[gnu::always_inline]] static inline Pack at(const double* place) {
    Pack pack;
    for (int k = 0; k < Count; ++k) pack.part[k] = L::at(place + k * Width);
    return pack;
  }
  [[gnu::always_inline]] static inline Pack all(double value) {
    Pack pack;
    for (int k = 0; k < Count; ++k) pack.part[k] = value - typename L::Vector{};
    return pack;
  }
  [[gnu::always_inline]] inline void store(double* place) const {
    for (int k = 0; k < Count; ++k) L::at(place + k * Width) = part[k];
  }
  [[gnu::always_inline]] friend inline Pack operator+(Pack a, const Pack& b) {
    for (int k = 0; k < Count; ++k) a.part[k] += b.part[k];
    return a;
  }
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

// 1 / x and 1 / sqrt(x) of normal numbers, to 1 and 2 units in the last place; with 512 bits from a 14-bit
// approximation, which is much faster than a division.
template <int Width, int Count>
[[gnu::always_inline]] inline Pack<Width, Count> reciprocal(const Pack<Width, Count>& x) {
  Pack<Width, Count> y;
  if constexpr (Width == 8) {
    for (int k = 0; k < Count; ++k) asm("vrcp14pd %1, %0" : "=v"(y.part[k]) : "v"(x.part[k]));
    for (int step = 0; step < 2; ++step) y = y + y * (1.0 - x * y);  // Newton's method
  } else {
    for (int k = 0; k < Count; ++k) y.part[k] = 1 / x.part[k];
  }
  return y;
}

template <int Width, int Count>
[[gnu::always_inline]] inline Pack<Width, Count> reciprocalRoot(const Pack<Width, Count>& x) {
  Pack<Width, Count> y;
  if constexpr (Width == 8) {
    for (int k = 0; k < Count; ++k) asm("vrsqrt14pd %1, %0" : "=v"(y.part[k]) : "v"(x.part[k]));
    const Pack<Width, Count> rough = 1.0 - (x * y) * y;
    y = y + (y * rough) * (rough * 0.375 + 0.5);  // Halley's method, then Newton's
    y = y + (y * 0.5) * (1.0 - (x * y) * y);
  } else {
    for (int k = 0; k < Count; ++k) {
      for (int lane = 0; lane < Width; ++lane) y.part[k][lane] = std::sqrt(x.part[k][lane]);
      y.part[k] = 1 / y.part[k];
    }
  }
  return y;
}

// Horner's scheme.
template <std::size_t Order = 0, typename P, std::size_t N>
[[gnu::always_inline]] inline P polynomial(const double (&coefficients)[N], const P& x) {
  if constexpr (Order + 1 == N)
    return P::all(coefficients[Order]);
  else
    return polynomial<Order + 1>(coefficients, x) * x + coefficients[Order];
}

// Bitwise and of every number in `x` with `mask`.
template <int Width, int Count>
[[gnu::always_inline]] inline Pack<Width, Count> masked(Pack<Width, Count> x, unsigned long long mask) {
  for (auto& part : x.part) {
    const auto bits = reinterpret_cast<typename Lanes<Width>::Bits>(part) & mask;
    part = reinterpret_cast<typename Lanes<Width>::Vector>(bits);
  }
  return x;
}
inline constexpr unsigned long long kWithoutSign = 0x7fffffffffffffff;
inline constexpr unsigned long long kHighHalf = ~0ULL << 27;  // mask of numbers whose square is exact

// Phi(-z) = exp(-z^2 / 2) g(t) / (z + c) with t = (z - c) / (z + c): half of g, by Chebyshev interpolation
// for z in [0, 37.6], as powers of t (made with 70 digits; largest relative error 8e-18 before rounding).
inline constexpr double kTailShift = 5.5;  // c
inline constexpr double kTail[] = {
    0x1.8c2b8893b5c8dp-2,   -0x1.5ed05c7e41a2ep-2,  0x1.1239b3f8c06d6p-2,   -0x1.77dbb5cdda9bap-3,
    0x1.be33e6ee998dap-4,   -0x1.c15806fa46de1p-5,  0x1.71707b5746472p-6,   -0x1.c83edf4423afcp-8,
    0x1.4034e5673dcb6p-10,  0x1.1ab346b8dca33p-13,  -0x1.5449635a48e30p-13, 0x1.2b890dc5c5104p-15,
    0x1.11cdd0c3e0359p-17,  -0x1.96a35082a8789p-18, 0x1.df4e15a9deab6p-23,  0x1.8e433f1503ed5p-21,
    -0x1.1fa880e59c87bp-23, -0x1.7d035ec4bb489p-24, 0x1.b10937edb47e4p-26,  0x1.8984c48f16251p-27,
    -0x1.8992d15bd7075p-29, -0x1.6573766cb211dp-30};
// exp(r) on |r| <= ln(2) / 2, the same way (5e-18).
inline constexpr double kExp[] = {0x1.0000000000000p+0,  0x1.0000000000000p+0,  0x1.0000000000011p-1,
                                  0x1.555555555555ap-3,  0x1.555555554f0cfp-5,  0x1.111111110f225p-7,
                                  0x1.6c16c187fbe02p-10, 0x1.a01a01b14378fp-13, 0x1.a01991ac8730ap-16,
                                  0x1.71ddf5749d126p-19, 0x1.28b4057f44145p-22, 0x1.af631d0059becp-26};
inline constexpr double kLog2e = 0x1.71547652b82fep+0;
inline constexpr double kLn2High = 0x1.62e42fee00000p-1, kLn2Low = 0x1.a39ef35793c76p-33;
inline constexpr double kRound = 0x1.8p52;  // adding it rounds to an integer in the low bits
inline constexpr double kMaxTail = 37.5;    // from here on Phi(-z) is subnormal: 0

// Phi(-z) for z >= 0, to 4 units in the last place.
template <int Width, int Count>
[[gnu::always_inline]] inline Pack<Width, Count> normalTail(const Pack<Width, Count>& z) {
  using P = Pack<Width, Count>;
  using L = Lanes<Width>;
  // -z^2 / 2 as an exact part and a small one, because exp multiplies a rounding error by z^2.
  const P high = masked(z, kHighHalf), square = high * (high * -0.5);
  const P rest = (z + high) * ((high - z) * 0.5);
  const P shifted = square * kLog2e + kRound, n = shifted - kRound;
  const P r = ((square - n * kLn2High) - n * kLn2Low) + rest;
  const P y = reciprocal(z * 0.5 + kTailShift / 2);  // 2 / (z + c)
  P tail = polynomial(kExp, r) * (polynomial(kTail, z * y - 1.0) * y);
  for (int k = 0; k < Count; ++k) {
    const auto exponent = reinterpret_cast<typename L::Bits>(shifted.part[k]) << 52;
    const auto bits = reinterpret_cast<typename L::Bits>(tail.part[k]) + exponent;  // times 2^n
    tail.part[k] = z.part[k] < kMaxTail ? reinterpret_cast<typename L::Vector>(bits) : typename L::Vector{};
  }
  return tail;
}

}  // namespace plastiscope
