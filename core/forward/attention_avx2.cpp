// Attention with vectors of eight floats (AVX2, FMA).
#if defined(__x86_64__)
#include <immintrin.h>

#include "core/forward/attention_vectors.h"

namespace plastiscope {

namespace {

// Operations for which AVX2 has an instruction that the compiler does not choose.
struct Avx2Vectors : FloatVectors<8> {
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
  static Vector multiplyAdd(Vector a, Vector b, Vector c) { return fma(a, b, c); }
  static Vector max(Vector a, Vector b) { return _mm256_max_ps(a, b); }
  static Vector atLeastForPower(Vector x) { return max(x, set(-127.0F)); }
  static bool anyAbove(Vector a, Vector b) {
    return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GT_OQ)) != 0;
  }
  static Vector fraction(Vector x) { return x - _mm256_floor_ps(x); }
  static Vector timesPower(Vector p, Vector x) {
    const __m256i power = _mm256_slli_epi32(_mm256_cvtps_epi32(_mm256_floor_ps(x)), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(p), power));
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
