#include "core/analysis/pair_kernels.h"

#include <bit>
#include <cmath>

#include "core/analysis/lanes.h"

namespace plastiscope {

namespace {

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
[[gnu::always_inline]] inline double polynomial(const double (&coefficients)[N], double x) {
  if constexpr (Order + 1 == N) {
    return coefficients[Order];
  } else {
    return polynomial<Order + 1>(coefficients, x) * x + coefficients[Order];
  }
}

// exp(-h), 0 <= h <= 708.
[[gnu::always_inline]] inline double expOfMinus(double h) {
  const double shifted = -h * kLog2e + kRound;
  const double n = shifted - kRound;
  const double r = (-h - n * kLn2High) - n * kLn2Low;
  const auto exponent = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
  return polynomial(kExp, r) * std::bit_cast<double>(exponent);
}

struct PlasticityKernel {
  template <int>
  [[gnu::always_inline]] static inline void run(const double* mean, const double* variance, double* pp,
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
};

struct DistancesKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(RowBlock rows, std::span<const KeyPair> pairs, double* out) {
    using L = Lanes<Width>;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const double* a = rows.row(pairs[p].first);
      const double* b = rows.row(pairs[p].second);
      L squares;
      for (std::ptrdiff_t c = 0; c < rows.columns; c += kLanes) {
#pragma GCC unroll 4
        for (int k = 0; k < L::kParts; ++k) {
          const typename L::Vector difference = L::at(a + c + k * Width) - L::at(b + c + k * Width);
          squares.part[k] += difference * difference;
        }
      }
      out[p] = squares.sum();
    }
  }
};

// Keys of sampled pairs lie far apart: the next ones are fetched while a pair is worked on.
[[gnu::always_inline]] inline void fetch(const double* row, std::ptrdiff_t length) {
  for (std::ptrdiff_t c = 0; c < length; c += kLanes) __builtin_prefetch(row + c);
}

struct WeightedKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(RowBlock rows, std::span<const KeyPair> pairs,
                                                CoordinateWeights weights, WeightedSums out) {
    using L = Lanes<Width>;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const double* a = rows.row(pairs[p].first);
      const double* b = rows.row(pairs[p].second);
      if (p + 1 < pairs.size()) {
        fetch(rows.row(pairs[p + 1].first), rows.columns);
        fetch(rows.row(pairs[p + 1].second), rows.columns);
      }
      L squares, sums;
      for (std::ptrdiff_t c = 0; c < rows.columns; c += kLanes) {
#pragma GCC unroll 4
        for (int k = 0; k < L::kParts; ++k) {
          const std::ptrdiff_t place = c + k * Width;
          const typename L::Vector difference = L::at(a + place) - L::at(b + place);
          squares.part[k] += difference * difference * L::at(weights.spread + place);
          sums.part[k] += difference * L::at(weights.weight + place);
        }
      }
      out.squares[p] = squares.sum();
      out.values[p] = sums.sum();
    }
  }
};

struct TermsKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(RowBlock rows, std::span<const std::int32_t> which,
                                                CoordinateWeights weights, WeightedSums out) {
    using L = Lanes<Width>;
    for (std::size_t i = 0; i < which.size(); ++i) {
      const double* x = rows.row(which[i]);
      L squares, sums;
      for (std::ptrdiff_t c = 0; c < rows.columns; c += kLanes) {
#pragma GCC unroll 4
        for (int k = 0; k < L::kParts; ++k) {
          const std::ptrdiff_t place = c + k * Width;
          const typename L::Vector value = L::at(x + place);
          squares.part[k] += L::at(weights.spread + place) * value * value;
          sums.part[k] += L::at(weights.weight + place) * value;
        }
      }
      out.squares[i] = squares.sum();
      out.values[i] = sums.sum();
    }
  }
};

// `weighted` times Count rows from `from` on.
template <int Count, int Width>
[[gnu::always_inline]] inline void multiplyRows(const double* weighted, const RowBlock& rows,
                                                std::ptrdiff_t from, double* products) {
  using L = Lanes<Width>;
  L sums[Count];
  for (std::ptrdiff_t c = 0; c < rows.columns; c += kLanes) {
#pragma GCC unroll 4
    for (int k = 0; k < L::kParts; ++k) {
      const typename L::Vector left = L::at(weighted + c + k * Width);
#pragma GCC unroll 4
      for (int r = 0; r < Count; ++r) sums[r].part[k] += left * L::at(rows.row(from + r) + c + k * Width);
    }
  }
  for (int r = 0; r < Count; ++r) products[from + r] = sums[r].sum();
}

struct ProductsKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const double* weighted, RowBlock second, double* products) {
    std::ptrdiff_t p = 0;
    for (; p + 4 <= second.count; p += 4) multiplyRows<4, Width>(weighted, second, p, products);
    for (; p < second.count; ++p) multiplyRows<1, Width>(weighted, second, p, products);
  }
};

struct PreferencesKernel {
  template <int>
  [[gnu::always_inline]] static inline void run(RowBlock rows, std::ptrdiff_t length,
                                                std::span<const KeyPair> pairs, double* out) {
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const double* a = rows.row(pairs[p].first);
      const double* b = rows.row(pairs[p].second);
      std::int64_t twice = 0;
      for (std::ptrdiff_t c = 0; c < length; ++c) twice += (a[c] > b[c] ? 1 : 0) + (a[c] >= b[c] ? 1 : 0);
      out[p] = 0.5 * static_cast<double>(twice);
    }
  }
};

}  // namespace

void squaredDistances(const RowBlock& rows, std::span<const KeyPair> pairs, double* out) {
  runKernel<DistancesKernel>(rows, pairs, out);
}

void weightedDifferences(const RowBlock& rows, std::span<const KeyPair> pairs,
                         const CoordinateWeights& weights, const WeightedSums& sums) {
  runKernel<WeightedKernel>(rows, pairs, weights, sums);
}

void keyTerms(const RowBlock& rows, std::span<const std::int32_t> which, const CoordinateWeights& weights,
              const WeightedSums& sums) {
  runKernel<TermsKernel>(rows, which, weights, sums);
}

void rowProducts(const double* weighted, const RowBlock& second, double* products) {
  runKernel<ProductsKernel>(weighted, second, products);
}

void plasticityOfPairs(const double* mean, const double* variance, double* pp, std::size_t count) {
  runKernel<PlasticityKernel>(mean, variance, pp, count);
}

void countPreferences(const RowBlock& rows, std::ptrdiff_t length, std::span<const KeyPair> pairs,
                      double* out) {
  runKernel<PreferencesKernel>(rows, length, pairs, out);
}

}  // namespace plastiscope
