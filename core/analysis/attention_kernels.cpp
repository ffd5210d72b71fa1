#include "core/analysis/attention_kernels.h"

#include <limits>

#include "core/base/register_width.h"

namespace plastiscope {

namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

// As many floats as a register of `Width` doubles has place for.
template <int Width>
struct FloatRegister {
  static constexpr int kFloats = 2 * Width;
  typedef float Vector [[gnu::vector_size(kFloats * sizeof(float))]];
  typedef int Whole [[gnu::vector_size(kFloats * sizeof(int))]];
  typedef float Unaligned [[gnu::vector_size(kFloats * sizeof(float)), gnu::aligned(4), gnu::may_alias]];
  static const Unaligned& at(const float* place) { return *reinterpret_cast<const Unaligned*>(place); }
  static Unaligned& at(float* place) { return *reinterpret_cast<Unaligned*>(place); }
};

// x -> exp(x) for x <= 88, zero below -87.
template <int Width>
[[gnu::always_inline]] inline void exponentiateOne(typename FloatRegister<Width>::Vector& x) {
  using F = FloatRegister<Width>;
  const typename F::Vector none = {}, least = none - 87.0F, rounding = none + 12582912.0F;  // 1.5 * 2^23
  const typename F::Whole tiny = x < least;
  x = tiny ? least : x;
  const typename F::Vector n = (x * 1.44269504F + rounding) - rounding;      // rounded to whole numbers
  const typename F::Vector r = (x - n * 0.693359375F) + n * 2.12194440e-4F;  // ln 2 in two parts
  typename F::Vector y = none + 1.9875691500e-4F;
  y = y * r + 1.3981999507e-3F;
  y = y * r + 8.3334519073e-3F;
  y = y * r + 4.1665795894e-2F;
  y = y * r + 1.6666665459e-1F;
  y = y * r + 5.0000001201e-1F;
  y = y * r * r + r + 1.0F;
  const typename F::Whole power = (__builtin_convertvector(n, typename F::Whole) + 127) << 23;
  y *= __builtin_bit_cast(typename F::Vector, power);
  x = tiny ? none : y;
}

// Scores of Rows queries with Registers registers of keys.
template <int Width, int Rows, int Registers>
[[gnu::always_inline]] inline void scoreTile(const float* queries, std::ptrdiff_t headDim, const float* keys,
                                             float* scores, std::ptrdiff_t stride) {
  using F = FloatRegister<Width>;
  typename F::Vector sums[Rows][Registers] = {};
  for (std::ptrdiff_t e = 0; e < headDim; ++e, queries += kBlockQueries, keys += kKeyPanel) {
    typename F::Vector key[Registers];
#pragma GCC unroll 8
    for (int j = 0; j < Registers; ++j) key[j] = F::at(keys + j * F::kFloats);
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
      for (int j = 0; j < Registers; ++j) sums[r][j] += queries[r] * key[j];
  }
  for (int r = 0; r < Rows; ++r)
    for (int j = 0; j < Registers; ++j) F::at(scores + r * stride + j * F::kFloats) = sums[r][j];
}

struct ScoreKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const float* queries, std::ptrdiff_t count, std::ptrdiff_t headDim,
                                                const float* panels, std::ptrdiff_t keys, float* scores,
                                                std::ptrdiff_t stride) {
    constexpr int kRegisters = Width == 8 ? 4 : 2, kStep = kRegisters * FloatRegister<Width>::kFloats;
    for (std::ptrdiff_t key = 0; key < keys; key += kStep) {
      const float* const place = panels + key / kKeyPanel * kKeyPanel * headDim + key % kKeyPanel;
      for (std::ptrdiff_t r = 0; r < count; r += 4)
        scoreTile<Width, 4, kRegisters>(queries + r, headDim, place, scores + r * stride + key, stride);
    }
  }
};

struct CapKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(float* scores, std::ptrdiff_t keys, float cap) {
    using F = FloatRegister<Width>;
    const typename F::Vector most = typename F::Vector{} + 40.0F;  // tanh is 1 there
    for (std::ptrdiff_t k = 0; k < keys; k += F::kFloats) {
      typename F::Vector x = F::at(scores + k) * (2 / cap);
      x = x > most ? most : x;
      exponentiateOne<Width>(x);
      F::at(scores + k) = cap - 2 * cap / (x + 1.0F);
    }
  }
};

struct HighestKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const float* scores, std::ptrdiff_t keys, float* highest) {
    using F = FloatRegister<Width>;
    typename F::Vector most = typename F::Vector{} + kHidden;
    for (std::ptrdiff_t k = 0; k < keys; k += F::kFloats) {
      const typename F::Vector x = F::at(scores + k);
      most = x > most ? x : most;
    }
    for (int i = 0; i < F::kFloats; ++i) *highest = *highest < most[i] ? most[i] : *highest;
  }
};

struct ExponentKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(float* scores, std::ptrdiff_t keys, float shift,
                                                double* sum) {
    using F = FloatRegister<Width>;
    constexpr std::ptrdiff_t kChunk = 32 * kKeyPanel;  // summed in float32
    for (std::ptrdiff_t from = 0; from < keys; from += kChunk) {
      const std::ptrdiff_t end = from + kChunk < keys ? from + kChunk : keys;
      typename F::Vector part = {};
      for (std::ptrdiff_t k = from; k < end; k += F::kFloats) {
        typename F::Vector x = F::at(scores + k) - shift;
        exponentiateOne<Width>(x);
        F::at(scores + k) = x;
        part += x;
      }
      for (int i = 0; i < F::kFloats; ++i) *sum += static_cast<double>(part[i]);
    }
  }
};

struct GatherKernel {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const float* rows, std::ptrdiff_t keys, std::ptrdiff_t stride,
                                                const float* factor, float* sum, float* most) {
    using F = FloatRegister<Width>;
    const typename F::Vector none = {}, hidden = none + kHidden;
    for (std::ptrdiff_t k = 0; k < keys; k += F::kFloats) {
      typename F::Vector added = F::at(sum + k), highest = F::at(most + k);
#pragma GCC unroll 8
      for (int r = 0; r < kBlockQueries; ++r) {
        const typename F::Vector x = F::at(rows + r * stride + k) * factor[r];
        added += x == hidden ? none : x;
        highest = x > highest ? x : highest;
      }
      F::at(sum + k) = added;
      F::at(most + k) = highest;
    }
  }
};

}  // namespace

std::vector<float> keyPanels(std::span<const float> keys, std::int64_t headDim) {
  const std::int64_t count = std::ssize(keys) / headDim;
  std::vector<float> panels(static_cast<std::size_t>(paddedKeys(count) * headDim));
  for (std::int64_t key = 0; key < count; ++key) {
    float* const place = panels.data() + key / kKeyPanel * kKeyPanel * headDim + key % kKeyPanel;
    for (std::int64_t e = 0; e < headDim; ++e) place[e * kKeyPanel] = keys[key * headDim + e];
  }
  return panels;
}

void scorePanels(const float* queries, std::int64_t count, std::int64_t headDim, const float* panels,
                 std::int64_t keys, float* scores, std::int64_t stride) {
  runKernel<ScoreKernel, const float*, std::ptrdiff_t, std::ptrdiff_t, const float*, std::ptrdiff_t, float*,
            std::ptrdiff_t>(queries, count, headDim, panels, keys, scores, stride);
}

void capScores(float* scores, std::int64_t keys, float cap) {
  runKernel<CapKernel, float*, std::ptrdiff_t, float>(scores, keys, cap);
}

float highestScore(const float* scores, std::int64_t keys) {
  float highest = kHidden;
  runKernel<HighestKernel, const float*, std::ptrdiff_t, float*>(scores, keys, &highest);
  return highest;
}

double exponentiate(float* scores, std::int64_t keys, float shift) {
  double sum = 0;
  runKernel<ExponentKernel, float*, std::ptrdiff_t, float, double*>(scores, keys, shift, &sum);
  return sum;
}

void gatherRows(const float* rows, std::int64_t keys, std::int64_t stride, const float* factor, float* sum,
                float* most) {
  runKernel<GatherKernel, const float*, std::ptrdiff_t, std::ptrdiff_t, const float*, float*, float*>(
      rows, keys, stride, factor, sum, most);
}

}  // namespace plastiscope
