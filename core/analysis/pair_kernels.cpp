#include "core/analysis/pair_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/lanes.h"

namespace plastiscope {

namespace {

// ---- Tail of the normal distribution.

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
    const auto bits = reinterpret_cast<typename Register<Width>::Bits>(part) & mask;
    part = reinterpret_cast<typename Register<Width>::Vector>(bits);
  }
  return x;
}
constexpr unsigned long long kWithoutSign = 0x7fffffffffffffff;
constexpr unsigned long long kHighHalf = ~0ULL << 27;  // mask of numbers whose square is exact

// Phi(-z) = exp(-z^2 / 2) g(t) / (z + c) with t = (z - c) / (z + c): half of g, by Chebyshev interpolation
// for z in [0, 37.6], as powers of t (made with 70 digits; largest relative error 8e-18 before rounding).
constexpr double kTailShift = 5.5;  // c
constexpr double kTail[] = {
    0x1.8c2b8893b5c8dp-2,   -0x1.5ed05c7e41a2ep-2,  0x1.1239b3f8c06d6p-2,   -0x1.77dbb5cdda9bap-3,
    0x1.be33e6ee998dap-4,   -0x1.c15806fa46de1p-5,  0x1.71707b5746472p-6,   -0x1.c83edf4423afcp-8,
    0x1.4034e5673dcb6p-10,  0x1.1ab346b8dca33p-13,  -0x1.5449635a48e30p-13, 0x1.2b890dc5c5104p-15,
    0x1.11cdd0c3e0359p-17,  -0x1.96a35082a8789p-18, 0x1.df4e15a9deab6p-23,  0x1.8e433f1503ed5p-21,
    -0x1.1fa880e59c87bp-23, -0x1.7d035ec4bb489p-24, 0x1.b10937edb47e4p-26,  0x1.8984c48f16251p-27,
    -0x1.8992d15bd7075p-29, -0x1.6573766cb211dp-30};
// exp(r) on |r| <= ln(2) / 2, the same way (5e-18).
constexpr double kExp[] = {0x1.0000000000000p+0,  0x1.0000000000000p+0,  0x1.0000000000011p-1,
                           0x1.555555555555ap-3,  0x1.555555554f0cfp-5,  0x1.111111110f225p-7,
                           0x1.6c16c187fbe02p-10, 0x1.a01a01b14378fp-13, 0x1.a01991ac8730ap-16,
                           0x1.71ddf5749d126p-19, 0x1.28b4057f44145p-22, 0x1.af631d0059becp-26};
constexpr double kLog2e = 0x1.71547652b82fep+0;
constexpr double kLn2High = 0x1.62e42fee00000p-1, kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kRound = 0x1.8p52;  // adding it rounds to an integer in the low bits
constexpr double kMaxTail = 37.5;    // from here on Phi(-z) is subnormal: 0

// Phi(-z) for z >= 0, to 4 units in the last place.
template <int Width, int Count>
[[gnu::always_inline]] inline Pack<Width, Count> normalTail(const Pack<Width, Count>& z) {
  using P = Pack<Width, Count>;
  using R = Register<Width>;
  // -z^2 / 2 as an exact part and a small one, because exp multiplies a rounding error by z^2.
  const P high = masked(z, kHighHalf), square = high * (high * -0.5);
  const P rest = (z + high) * ((high - z) * 0.5);
  const P shifted = square * kLog2e + kRound, n = shifted - kRound;
  const P r = ((square - n * kLn2High) - n * kLn2Low) + rest;
  const P y = reciprocal(z * 0.5 + kTailShift / 2);  // 2 / (z + c)
  P tail = polynomial(kExp, r) * (polynomial(kTail, z * y - 1.0) * y);
  for (int k = 0; k < Count; ++k) {
    const auto exponent = reinterpret_cast<typename R::Bits>(shifted.part[k]) << 52;
    const auto bits = reinterpret_cast<typename R::Bits>(tail.part[k]) + exponent;  // times 2^n
    tail.part[k] = z.part[k] < kMaxTail ? reinterpret_cast<typename R::Vector>(bits) : typename R::Vector{};
  }
  return tail;
}

// ---- Kernels.

struct PlasticityKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const double* mean, const double* variance, double* pp,
                                                std::size_t count) {
    using P = Pack<Width, 4>;
    double means[P::kNumbers] = {}, variances[P::kNumbers], last[P::kNumbers];
    std::fill_n(variances, P::kNumbers, 1.0);
    for (std::size_t i = 0; i < count; i += P::kNumbers) {
      const bool whole = count - i >= P::kNumbers;
      if (!whole) {  // the remainder uses the same operations
        std::copy_n(mean + i, count - i, means);
        std::copy_n(variance + i, count - i, variances);
      }
      const P z =
          P::load(whole ? mean + i : means) * reciprocalRoot(P::load(whole ? variance + i : variances));
      const P tail = normalTail(masked(z, kWithoutSign));
      ((tail * 4) * (1.0 - tail)).store(whole ? pp + i : last);
      if (!whole) std::copy_n(last, count - i, pp + i);
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
        const L difference = L::load(a + c) - L::load(b + c);
        squares += difference * difference;
      }
      out[p] = squares.sum();
    }
  }
};

struct WeightedKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(RowBlock rows, std::span<const KeyPair> pairs,
                                                CoordinateWeights weights, WeightedSums out) {
    using L = Lanes<Width>;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const double* a = rows.row(pairs[p].first);
      const double* b = rows.row(pairs[p].second);
      L squares, sums;
      for (std::ptrdiff_t c = 0; c < rows.columns; c += kLanes) {
        const L difference = L::load(a + c) - L::load(b + c);
        squares += difference * difference * L::load(weights.spread + c);
        sums += difference * L::load(weights.weight + c);
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
        const L value = L::load(x + c);
        squares += L::load(weights.spread + c) * value * value;
        sums += L::load(weights.weight + c) * value;
      }
      out.squares[i] = squares.sum();
      out.values[i] = sums.sum();
    }
  }
};

// products[a * stride + b] = left[a] . right[b] over `length` coordinates; the registers hold all sums.
template <int Width, int Rows, int Columns>
[[gnu::always_inline]] inline void multiplyRows(const double* const (&left)[Rows],
                                                const double* const (&right)[Columns], std::ptrdiff_t length,
                                                double* products, std::ptrdiff_t stride) {
  using L = Lanes<Width>;
  L sums[Rows][Columns];
  for (std::ptrdiff_t c = 0; c < length; c += kLanes) {
#pragma GCC unroll 4
    for (int k = 0; k < L::kParts; ++k) {
      const std::ptrdiff_t place = c + k * Width;
      typename Register<Width>::Vector values[Columns];
#pragma GCC unroll 8
      for (int b = 0; b < Columns; ++b) values[b] = Register<Width>::at(right[b] + place);
#pragma GCC unroll 4
      for (int a = 0; a < Rows; ++a) {
        const typename Register<Width>::Vector value = Register<Width>::at(left[a] + place);
#pragma GCC unroll 8
        for (int b = 0; b < Columns; ++b) sums[a][b].part[k] += value * values[b];
      }
    }
  }
#pragma GCC unroll 4
  for (int a = 0; a < Rows; ++a) {
#pragma GCC unroll 8
    for (int b = 0; b < Columns; ++b) products[a * stride + b] = sums[a][b].sum();
  }
}

struct BlockKernel {
  template <int Width, int Rows>
  [[gnu::always_inline]] static inline void runRows(const double* const (&left)[Rows], const RowBlock& second,
                                                    double* products) {
    constexpr int kColumns = Width / 2;
    std::ptrdiff_t j = 0;
    for (; second.count >= kColumns && j < second.count; j += kColumns) {
      const std::ptrdiff_t at = std::min(j, second.count - kColumns);  // the last tile may overlap
      const double* right[kColumns];
      for (int b = 0; b < kColumns; ++b) right[b] = second.row(at + b);
      multiplyRows<Width>(left, right, second.columns, products + at, second.count);
    }
    for (; j < second.count; ++j)
      multiplyRows<Width>(left, {second.row(j)}, second.columns, products + j, second.count);
  }

  template <int Width>
  [[gnu::always_inline]] static inline void run(RowBlock first, RowBlock second, double* products) {
    constexpr int kRows = Width / 2;
    std::ptrdiff_t i = 0;
    for (; first.count >= kRows && i < first.count; i += kRows) {
      const std::ptrdiff_t at = std::min(i, first.count - kRows);
      const double* left[kRows];
      for (int a = 0; a < kRows; ++a) left[a] = first.row(at + a);
      runRows<Width>(left, second, products + at * second.count);
    }
    for (; i < first.count; ++i) runRows<Width, 1>({first.row(i)}, second, products + i * second.count);
  }
};

struct GatherKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const double* left, RowBlock rows,
                                                std::span<const KeyPair> pairs, double* products) {
    const auto count = static_cast<std::ptrdiff_t>(pairs.size());
    std::ptrdiff_t p = 0;
    for (; count >= Width && p < count; p += Width) {
      const std::ptrdiff_t at = std::min(p, count - Width);
      const double* right[Width];
      for (int b = 0; b < Width; ++b) right[b] = rows.row(pairs[at + b].second);
      multiplyRows<Width, 1>({left}, right, rows.columns, products + at, count);
    }
    for (; p < count; ++p)
      multiplyRows<Width, 1, 1>({left}, {rows.row(pairs[p].second)}, rows.columns, products + p, count);
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

// A register of 2 * Width numbers.
template <int Width>
struct Floats {
  typedef float Vector [[gnu::vector_size(2 * Width * sizeof(float))]];
  typedef float Unaligned [[gnu::vector_size(2 * Width * sizeof(float)), gnu::aligned(4), gnu::may_alias]];
  typedef int Bits [[gnu::vector_size(2 * Width * sizeof(float))]];
  static constexpr std::ptrdiff_t kNumbers = 2 * Width;
  static const Unaligned& at(const float* place) { return *reinterpret_cast<const Unaligned*>(place); }
  static Unaligned& at(float* place) { return *reinterpret_cast<Unaligned*>(place); }
};

struct FloatKernel {
  // Products of Rows rows from i on with two registers of columns from j on.
  template <int Width, int Rows>
  [[gnu::always_inline]] static inline void tile(const FloatBlock& left, std::ptrdiff_t i,
                                                 const FloatBlock& right, std::ptrdiff_t j, float* products) {
    using F = Floats<Width>;
    typename F::Vector sums[Rows][2] = {};
    for (std::ptrdiff_t c = 0; c < right.count; ++c) {
      const float* values = right.row(c) + j;
      const typename F::Vector first = F::at(values), second = F::at(values + F::kNumbers);
#pragma GCC unroll 4
      for (int a = 0; a < Rows; ++a) {
        const float factor = left.row(i + a)[c];
        sums[a][0] += factor * first;
        sums[a][1] += factor * second;
      }
    }
#pragma GCC unroll 4
    for (int a = 0; a < Rows; ++a) {
      float* out = products + (i + a) * right.columns + j;
      F::at(out) = sums[a][0];
      F::at(out + F::kNumbers) = sums[a][1];
    }
  }
  template <int Width>
  [[gnu::always_inline]] static inline void run(FloatBlock left, FloatBlock right, float* products) {
    constexpr std::ptrdiff_t kRows = 4, kColumns = 2 * Floats<Width>::kNumbers;
    for (std::ptrdiff_t j = 0; j < right.columns; j += kColumns) {
      std::ptrdiff_t i = 0;
      for (; i + kRows <= left.count; i += kRows) tile<Width, kRows>(left, i, right, j, products);
      for (; i < left.count; ++i) tile<Width, 1>(left, i, right, j, products);
    }
  }
};

struct PreferenceKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const float* scores, std::size_t pairs, std::int32_t* twice,
                                                float* least) {
    using F = Floats<Width>;
    typedef int Unaligned [[gnu::vector_size(sizeof(typename F::Bits)), gnu::aligned(4), gnu::may_alias]];
    constexpr auto kNumbers = static_cast<std::size_t>(F::kNumbers);
    typename F::Vector smallest = typename F::Vector{} + std::numeric_limits<float>::infinity();
    std::size_t p = 0;
    for (; p + kNumbers <= pairs; p += kNumbers) {
      const typename F::Bits bits = (typename F::Bits)F::at(scores + p);
      *reinterpret_cast<Unaligned*>(twice + p) += 2 + 2 * (bits >> 31);
      const auto size = (typename F::Vector)(bits & 0x7fffffff);
      smallest = size < smallest ? size : smallest;
    }
    for (int k = 0; k < F::kNumbers; ++k) *least = std::min(*least, smallest[k]);
    for (; p < pairs; ++p) {
      twice[p] += std::signbit(scores[p]) ? 0 : 2;
      *least = std::min(*least, std::abs(scores[p]));
    }
  }
};

struct SidesKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const std::int32_t* twice, std::size_t pairs, double queries,
                                                double weight, double square, double* first, double* inside) {
    using R = Register<Width>;
    typedef int Ints [[gnu::vector_size(Width * sizeof(int)), gnu::aligned(4), gnu::may_alias]];
    std::size_t p = 0;
    for (; p + Width <= pairs; p += Width) {
      const auto c =
          0.5 * __builtin_convertvector(*reinterpret_cast<const Ints*>(twice + p), typename R::Vector);
      R::at(first + p) += weight * c;
      R::at(inside + p) += square * (c * (queries - c));
    }
    for (; p < pairs; ++p) {
      const double c = 0.5 * twice[p];
      first[p] += weight * c;
      inside[p] += square * (c * (queries - c));
    }
  }
};

}  // namespace

void floatProducts(const FloatBlock& left, const FloatBlock& right, float* products) {
  runKernel<FloatKernel>(left, right, products);
}

float addPreferences(const float* scores, std::size_t pairs, std::int32_t* twice) {
  float least = std::numeric_limits<float>::infinity();
  runKernel<PreferenceKernel>(scores, pairs, twice, &least);
  return least;
}

void addSides(const std::int32_t* twice, std::size_t pairs, double queries, double weight, double square,
              double* first, double* inside) {
  runKernel<SidesKernel>(twice, pairs, queries, weight, square, first, inside);
}

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

void blockProducts(const RowBlock& first, const RowBlock& second, double* products) {
  runKernel<BlockKernel>(first, second, products);
}

void gatheredProducts(const double* left, const RowBlock& rows, std::span<const KeyPair> pairs,
                      double* products) {
  runKernel<GatherKernel>(left, rows, pairs, products);
}

void plasticityOfPairs(const double* mean, const double* variance, double* pp, std::size_t count) {
  runKernel<PlasticityKernel>(mean, variance, pp, count);
}

void countPreferences(const RowBlock& rows, std::ptrdiff_t length, std::span<const KeyPair> pairs,
                      double* out) {
  runKernel<PreferencesKernel>(rows, length, pairs, out);
}

}  // namespace plastiscope
