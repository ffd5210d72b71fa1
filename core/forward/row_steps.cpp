#include "core/forward/row_steps.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/base/register_width.h"

namespace plastiscope {

namespace {

// Everything below is inlined into one function per instruction set, in which the compiler vectorises the
// loops.

// ---- Numbers in memory

struct Bfloat16 {
  std::uint16_t bits;
};

[[gnu::always_inline]] inline float wide(float x) {
  return x;
}

[[gnu::always_inline]] inline float wide(Bfloat16 x) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16);
}

// Rounds to nearest, ties to even.
template <typename Number>
[[gnu::always_inline]] inline Number rounded(float x) {
  if constexpr (std::is_same_v<Number, Bfloat16>) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t nearest = (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16;
    return {static_cast<std::uint16_t>(x == x ? nearest : 0x7FC0U)};
  } else {
    return x;
  }
}

template <typename Number>
[[gnu::always_inline]] inline void widen(const Number* __restrict from, std::ptrdiff_t size,
                                         float* __restrict to) {
  for (std::ptrdiff_t i = 0; i < size; ++i) to[i] = wide(from[i]);
}

template <typename Number>
[[gnu::always_inline]] inline void narrow(const float* __restrict from, std::ptrdiff_t size,
                                          Number* __restrict to) {
  for (std::ptrdiff_t i = 0; i < size; ++i) to[i] = rounded<Number>(from[i]);
}

template <typename Number>
[[gnu::always_inline]] inline Number* vectorOf(const StridedVectors& rows, std::ptrdiff_t row,
                                               std::ptrdiff_t head) {
  return static_cast<Number*>(rows.data) + row * rows.rowStep + head * rows.headStep;
}

// ---- Sums

// Number of partial sums of a vector, which are added in one order for every register width.
constexpr std::ptrdiff_t kSums = 32;

// The sum of x - off, or of its squares.
template <int Width, bool Squares>
[[gnu::always_inline]] inline float sumOf(const float* x, std::ptrdiff_t size) {
  typedef float Vector [[gnu::vector_size(Width * sizeof(float))]];
  typedef float Place [[gnu::vector_size(Width * sizeof(float)), gnu::aligned(4), gnu::may_alias]];
  constexpr int kParts = static_cast<int>(kSums) / Width;
  const auto term = [](const auto& value) { return Squares ? value * value : value; };
  Vector parts[kParts] = {};
  std::ptrdiff_t i = 0;
  for (; i + kSums <= size; i += kSums) {
#pragma GCC unroll 8
    for (int part = 0; part < kParts; ++part) {
      const Vector values = *reinterpret_cast<const Place*>(x + i + part * Width);
      parts[part] += Squares ? values * values : values;
    }
  }
  float sums[kSums];
  for (int part = 0; part < kParts; ++part) *reinterpret_cast<Place*>(sums + part * Width) = parts[part];
  for (std::ptrdiff_t last = 0; i + last < size; ++last) sums[last] += term(x[i + last]);
  for (std::ptrdiff_t half = kSums / 2; half > 0; half /= 2) {
    for (std::ptrdiff_t sum = 0; sum < half; ++sum) sums[sum] += sums[sum + half];
  }
  return sums[0];
}

// ---- Norms

template <typename Number, int Width>
[[gnu::always_inline]] inline void normalise(float* __restrict x, std::ptrdiff_t size, const VectorNorm& norm,
                                             std::ptrdiff_t head) {
  const auto count = static_cast<float>(size);
  if (norm.subtractMean) {
    const float mean = sumOf<Width, false>(x, size) / count;
    for (std::ptrdiff_t i = 0; i < size; ++i) x[i] -= mean;
  }
  const float variance = sumOf<Width, true>(x, size) / count;
  const float scale = 1.0F / std::sqrt(variance + static_cast<float>(norm.eps));
  for (std::ptrdiff_t i = 0; i < size; ++i) x[i] *= scale;
  if (norm.roundFirst) {
    for (std::ptrdiff_t i = 0; i < size; ++i) x[i] = wide(rounded<Number>(x[i]));
  }
  if (norm.weight != nullptr) {
    const float* const __restrict weight = norm.weight + head * norm.headStep;
    for (std::ptrdiff_t i = 0; i < size; ++i) x[i] *= weight[i];
  }
  if (norm.bias != nullptr) {
    const float* const __restrict bias = norm.bias + head * norm.headStep;
    for (std::ptrdiff_t i = 0; i < size; ++i) x[i] += bias[i];
  }
}

// Runs a kernel for the step's type in memory.
template <typename Kernel, typename Step>
struct OfAnyType {
  template <int Width>
  [[gnu::always_inline]] static inline void run(const Step* step, float* room) {
    if (step->count.type == NumberType::Float32) {
      Kernel::template run<float, 2 * Width>(*step, room);
    } else {
      Kernel::template run<Bfloat16, 2 * Width>(*step, room);
    }
  }
};

struct NormKernel {
  template <typename Number, int Width>
  [[gnu::always_inline]] static inline void run(const NormStep& step, float* __restrict x) {
    const std::ptrdiff_t size = step.count.size;
    for (std::ptrdiff_t row = 0; row < step.count.rows; ++row) {
      for (std::ptrdiff_t head = 0; head < step.count.heads; ++head) {
        Number* const __restrict place = vectorOf<Number>(step.x, row, head);
        if (step.added.data != nullptr) {
          const Number* const __restrict added = vectorOf<Number>(step.added, row, head);
          for (std::ptrdiff_t i = 0; i < size; ++i)
            place[i] = rounded<Number>(wide(place[i]) + step.scale * wide(added[i]));
        }
        if (step.out.data == nullptr) continue;
        widen(place, size, x);
        normalise<Number, Width>(x, size, step.norm, head);
        narrow(x, size, vectorOf<Number>(step.out, row, head));
      }
    }
  }
};

// ---- Gates

// Cody and Waite's reduction and a polynomial of degree 6. x from -87 to 0.
[[gnu::always_inline]] inline float exponential(float x) {
  constexpr float kShift = 12582912.0F;  // 3 * 2^22: the sum has an integer in its last bits
  const float shifted = x * 1.44269504F + kShift, power = shifted - kShift;
  const float r = (x - power * 0.693359375F) + power * 2.12194440e-4F;
  float p = r * 1.9875691500e-4F + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  const float near = (p * r * r + r) + 1.0F;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(near) +
                              (std::bit_cast<std::uint32_t>(shifted) << 23));
}

// 1 / (1 + exp(-x)), without overflow.
[[gnu::always_inline]] inline float logistic(float x) {
  constexpr float kEnd = 87.0F;
  const float size = std::fabs(x), near = exponential(-(size > kEnd ? kEnd : size));
  const float small = size > kEnd ? 0.0F : near;
  return (x < 0 ? small : 1.0F) / (small + 1.0F);
}

struct GateKernel {
  // GELU with tanh equals x logistic(2 u).
  template <GateKind Kind>
  [[gnu::always_inline]] static inline float activated(float x) {
    if constexpr (Kind == GateKind::Silu) return x * logistic(x);
    return x * logistic((x + 0.044715F * x * x * x) * 1.5957691216F);
  }

  template <GateKind Kind, typename Number>
  [[gnu::always_inline]] static inline void row(Number* __restrict gate, const Number* __restrict up,
                                                std::ptrdiff_t size) {
    for (std::ptrdiff_t i = 0; i < size; ++i)
      gate[i] = rounded<Number>(activated<Kind>(wide(gate[i])) * wide(up[i]));
  }

  template <typename Number, int Width>
  [[gnu::always_inline]] static inline void run(const GateStep& step, float*) {
    for (std::ptrdiff_t i = 0; i < step.count.rows; ++i) {
      Number* const gate = vectorOf<Number>(step.gate, i, 0);
      const Number* const up = vectorOf<Number>(step.up, i, 0);
      if (step.kind == GateKind::Silu) {
        row<GateKind::Silu>(gate, up, step.count.size);
      } else {
        row<GateKind::GeluTanh>(gate, up, step.count.size);
      }
    }
  }
};

// ---- Heads

[[gnu::always_inline]] inline void turn(float& a, float& b, float cos, float sin) {
  const float first = a;
  a = first * cos - b * sin;
  b = b * cos + first * sin;
}

struct HeadKernel {
  [[gnu::always_inline]] static inline void rotate(float* __restrict x, const float* __restrict cos,
                                                   const float* __restrict sin, const HeadStep& step) {
    if (step.interleaved) {
      for (std::ptrdiff_t i = 0; i < step.half; ++i) turn(x[2 * i], x[2 * i + 1], cos[i], sin[i]);
    } else {
      float* const __restrict second = x + step.half;
      for (std::ptrdiff_t i = 0; i < step.half; ++i) turn(x[i], second[i], cos[i], sin[i]);
    }
  }

  template <typename Number, int Width>
  [[gnu::always_inline]] static inline void run(const HeadStep& step, float* __restrict x) {
    const std::ptrdiff_t size = step.count.size;
    for (std::ptrdiff_t row = 0; row < step.count.rows; ++row) {
      for (std::ptrdiff_t head = 0; head < step.count.heads; ++head) {
        widen(vectorOf<Number>(step.in, row, head), size, x);
        if (step.normBefore != nullptr) {
          normalise<Number, Width>(x, size, *step.normBefore, head);
          for (std::ptrdiff_t i = 0; i < size; ++i) x[i] = wide(rounded<Number>(x[i]));
        }
        if (step.before.data != nullptr) narrow(x, size, vectorOf<Number>(step.before, row, head));
        if (step.half > 0) rotate(x, step.cos + row * step.half, step.sin + row * step.half, step);
        if (step.normAfter != nullptr) normalise<Number, Width>(x, size, *step.normAfter, head);
        if (step.factor != nullptr) {
          for (std::ptrdiff_t i = 0; i < size; ++i) x[i] *= step.factor[row];
        }
        narrow(x, size, vectorOf<Number>(step.out, row, head));
      }
    }
  }
};

template <typename Kernel, typename Step>
void runAt(int width, const Step& step) {
  std::vector<float> room(static_cast<std::size_t>(step.count.size));
  runKernelOf<OfAnyType<Kernel, Step>>(width > 0 ? width : registerWidth(), &step, room.data());
}

}  // namespace

void runStep(const NormStep& step, int width) {
  runAt<NormKernel>(width, step);
}

void runStep(const GateStep& step, int width) {
  runAt<GateKernel>(width, step);
}

void runStep(const HeadStep& step, int width) {
  runAt<HeadKernel>(width, step);
}

}  // namespace plastiscope
