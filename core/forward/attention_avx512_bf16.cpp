// Attention with vectors of sixteen floats and products of bfloat16 pairs (AVX512-BF16).
#if defined(__x86_64__)
#include "core/forward/attention_avx512.h"
#include "core/forward/attention_tile.h"

namespace plastiscope {

namespace {

struct Avx512PairProducts : Avx512Pairs {
  static constexpr std::int64_t kRows = 24, kMicroRows = 12, kDepthUnit = 1, kKeyBlock = 256,
                                kScoreStep = kKeyBlock + 16;

  static __m512bh loadWords(const Word* place) {
    return reinterpret_cast<__m512bh>(_mm512_loadu_si512(place));
  }
  static __m512bh repeatWord(const Word* place) {
    return reinterpret_cast<__m512bh>(_mm512_set1_epi32(static_cast<int>(*place)));
  }
  static __m512 multiplyAdd(__m512bh a, __m512bh b, __m512 c) { return _mm512_dpbf16_ps(c, a, b); }
};

bool hasAvx512Bf16() {
  return __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

}  // namespace

const AttentionKernel kAvx512Bf16Attention{"avx512_bf16", hasAvx512Bf16, nullptr,
                                           attendTask<VectorLevel<Avx512PairProducts>, BFloat16>};

}  // namespace plastiscope
#endif
