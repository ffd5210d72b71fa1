#pragma once
// Arithmetic on vectors of kWidth floats for the attention kernels, in GCC's vector types: one source for all
// instruction sets. Google Highway 1.0.3 with AVX2 gave the same bits in 0.95 to 1.14 of the time, but it has
// no SSE2 target: without AVX2 attention took 3.6 to 3.9 times as long (2,048 keys, head dimensions 64 to
// 128).
#include "core/forward/attention_tile.h"

namespace plastiscope {

namespace {

template <int Width>
struct VectorTypes {
  typedef float Vector [[gnu::vector_size(4 * Width)]];
  typedef float Unaligned [[gnu::vector_size(4 * Width), gnu::aligned(4), gnu::may_alias]];
  typedef std::int32_t Whole [[gnu::vector_size(4 * Width)]];
};

template <int Width>
struct FloatVectors {
  using Vector = typename VectorTypes<Width>::Vector;
  using Unaligned = typename VectorTypes<Width>::Unaligned;
  using Whole = typename VectorTypes<Width>::Whole;
  using Word = float;
  static constexpr std::int64_t kNumbers = 1, kWidth = Width, kColumns = 2 * Width, kRows = 24,
                                kMicroRows = 6, kDepthUnit = 1;
  static constexpr int kDegree = 5;
  static constexpr std::int64_t kKeyBlock = 256, kScoreStep = kKeyBlock + 16;

  static Vector set(float x) { return x - Vector{}; }
  static Vector load(const float* place) { return *reinterpret_cast<const Unaligned*>(place); }
  static void store(float* place, Vector x) { *reinterpret_cast<Unaligned*>(place) = x; }
  static Vector add(Vector a, Vector b) { return a + b; }
  static Vector sub(Vector a, Vector b) { return a - b; }
  static Vector mul(Vector a, Vector b) { return a * b; }
  static Vector div(Vector a, Vector b) { return a / b; }
  static Vector fma(Vector a, Vector b, Vector c) { return a * b + c; }
  static Vector max(Vector a, Vector b) { return a > b ? a : b; }
  static Vector whereLess(Vector a, Vector b, Vector yes, Vector no) { return a < b ? yes : no; }
  static bool anyAbove(Vector a, Vector b) {
    const Whole above = a > b;
    std::int32_t any = 0;
    for (int i = 0; i < Width; ++i) any |= above[i];
    return any != 0;
  }
  static float largest(Vector x) {
    float most = x[0];
    for (int i = 1; i < Width; ++i) most = x[i] > most ? x[i] : most;
    return most;
  }
  // Smaller x give 0: 2^-127 has the exponent bits of 0.
  static Vector atLeastForPower(Vector x) { return max(x, set(-127.0F)); }
  // Adding 1.5 * 2^23 rounds to an integer, which is then in the lowest bits.
  static Vector below(Vector x) {
    const Vector nearest = x + set(12582912.0F) - set(12582912.0F);
    return nearest > x ? nearest - set(1.0F) : nearest;
  }
  static Vector fraction(Vector x) { return x - below(x); }
  static Vector timesPower(Vector p, Vector x) {
    const Vector shifted = below(x) + set(12582912.0F);
    return reinterpret_cast<Vector>(reinterpret_cast<Whole>(p) + (reinterpret_cast<Whole>(shifted) << 23));
  }

  static Vector loadWords(const float* place) { return load(place); }
  static Vector repeatWord(const float* place) { return set(*place); }
  static Vector multiplyAdd(Vector a, Vector b, Vector c) { return a * b + c; }
  static void storeWeights(float* place, Vector left, Vector right) {
    store(place, left);
    store(place + kWidth, right);
  }
  template <typename Number>
  static void packKeys(const StoredRows<Number>& rows, std::int64_t first, std::int64_t depth, float* panel) {
    packKeyPanel<FloatVectors>(rows, first, depth, panel);
  }
};

}  // namespace

}  // namespace plastiscope
