// Attention with vectors of eight floats (AVX2, FMA).
#if defined(__x86_64__)
#include <immintrin.h>

#include "core/forward/attention_levels.h"
#include "core/forward/attention_tile.h"

namespace plastiscope {

namespace {

struct Avx2Vectors {
  using Vector = __m256;
  using Word = float;
  static constexpr std::int64_t kNumbers = 1, kWidth = 8, kColumns = 16, kRows = 24, kMicroRows = 6,
                                kDepthUnit = 1;
  static constexpr int kDegree = 5;
  static constexpr std::int64_t kKeyBlock = 256, kScoreStep = kKeyBlock + 16;

  static Vector set(float x) { return _mm256_set1_ps(x); }
  static Vector load(const float* place) { return _mm256_loadu_ps(place); }
  static void store(float* place, Vector x) { _mm256_storeu_ps(place, x); }
  static Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
  static Vector sub(Vector a, Vector b) { return _mm256_sub_ps(a, b); }
  static Vector mul(Vector a, Vector b) { return _mm256_mul_ps(a, b); }
  static Vector div(Vector a, Vector b) { return _mm256_div_ps(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
  static Vector max(Vector a, Vector b) { return _mm256_max_ps(a, b); }
  static Vector whereLess(Vector a, Vector b, Vector yes, Vector no) {
    return _mm256_blendv_ps(no, yes, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
  }
  static bool anyAbove(Vector a, Vector b) {
    return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GT_OQ)) != 0;
  }
  static float largest(Vector x) {
    __m128 half = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    half = _mm_max_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_max_ss(half, _mm_movehdup_ps(half)));
  }
  // Smaller x give 0: 2^-127 has the exponent bits of 0.
  static Vector atLeastForPower(Vector x) { return max(x, set(-127.0F)); }
  static Vector fraction(Vector x) { return sub(x, _mm256_floor_ps(x)); }
  static Vector timesPower(Vector p, Vector x) {
    const __m256i power = _mm256_slli_epi32(_mm256_cvtps_epi32(_mm256_floor_ps(x)), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(p), power));
  }

  static Vector loadWords(const float* place) { return load(place); }
  static Vector repeatWord(const float* place) { return _mm256_broadcast_ss(place); }
  static Vector multiplyAdd(Vector a, Vector b, Vector c) { return fma(a, b, c); }
  static void storeWeights(float* place, Vector left, Vector right) {
    store(place, left);
    store(place + kWidth, right);
  }
  template <typename Number>
  static void packKeys(const StoredRows<Number>& rows, std::int64_t first, std::int64_t depth, float* panel) {
    packKeyPanel<Avx2Vectors>(rows, first, depth, panel);
  }
};

bool hasAvx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

}  // namespace

const AttentionKernel kAvx2Attention{"avx2", hasAvx2, attendTask<VectorLevel<Avx2Vectors>, float>,
                                     attendTask<VectorLevel<Avx2Vectors>, BFloat16>};

}  // namespace plastiscope
#endif
