// Portable attention with vectors of four floats.
#include "core/forward/attention_levels.h"
#include "core/forward/attention_tile.h"

namespace plastiscope {

namespace {

struct PortableVectors {
  typedef float Vector [[gnu::vector_size(16)]];
  typedef float Unaligned [[gnu::vector_size(16), gnu::aligned(4), gnu::may_alias]];
  typedef std::int32_t Whole [[gnu::vector_size(16)]];
  using Word = float;
  static constexpr std::int64_t kNumbers = 1, kWidth = 4, kColumns = 8, kRows = 24, kMicroRows = 6,
                                kDepthUnit = 1;
  static constexpr int kDegree = 5;
  static constexpr std::int64_t kKeyBlock = 256, kScoreStep = kKeyBlock + 16;

  static Vector set(float x) { return Vector{x, x, x, x}; }
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
    const auto above = a > b;
    return (above[0] | above[1] | above[2] | above[3]) != 0;
  }
  static float largest(Vector x) {
    const float a = x[0] > x[1] ? x[0] : x[1], b = x[2] > x[3] ? x[2] : x[3];
    return a > b ? a : b;
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
    packKeyPanel<PortableVectors>(rows, first, depth, panel);
  }
};

bool everywhere() {
  return true;
}

}  // namespace

const AttentionKernel kPortableAttention{"portable", everywhere,
                                         attendTask<VectorLevel<PortableVectors>, float>,
                                         attendTask<VectorLevel<PortableVectors>, BFloat16>};

}  // namespace plastiscope
