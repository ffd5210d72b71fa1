// Attention with vectors of sixteen floats (AVX-512).
#if defined(__x86_64__)
#include "core/forward/attention_avx512.h"

#include "core/forward/attention_tile.h"

namespace plastiscope {

namespace {

bool hasAvx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

}  // namespace

const AttentionKernel kAvx512Attention{"avx512", hasAvx512, attendTask<VectorLevel<Avx512Floats>, float>,
                                       attendTask<VectorLevel<Avx512Floats>, BFloat16>};

}  // namespace plastiscope
#endif
