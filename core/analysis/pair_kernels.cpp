#include "core/analysis/pair_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/normal_tail.h"

namespace plastiscope {

namespace {

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
      const P z = P::at(whole ? mean + i : means) * reciprocalRoot(P::at(whole ? variance + i : variances));
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
      typename L::Vector values[Columns];
#pragma GCC unroll 8
      for (int b = 0; b < Columns; ++b) values[b] = L::at(right[b] + place);
#pragma GCC unroll 4
      for (int a = 0; a < Rows; ++a) {
        const typename L::Vector value = L::at(left[a] + place);
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
      for (int b = 0; b < Width; ++b) right[b] = rows.row(pairs[static_cast<std::size_t>(at + b)].second);
      multiplyRows<Width, 1>({left}, right, rows.columns, products + at, count);
    }
    for (; p < count; ++p)
      multiplyRows<Width, 1, 1>({left}, {rows.row(pairs[static_cast<std::size_t>(p)].second)}, rows.columns,
                                products + p, count);
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
    using L = Lanes<Width>;
    typedef int Ints [[gnu::vector_size(Width * sizeof(int)), gnu::aligned(4), gnu::may_alias]];
    std::size_t p = 0;
    for (; p + Width <= pairs; p += Width) {
      const auto c =
          0.5 * __builtin_convertvector(*reinterpret_cast<const Ints*>(twice + p), typename L::Vector);
      L::at(first + p) += weight * c;
      L::at(inside + p) += square * (c * (queries - c));
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
