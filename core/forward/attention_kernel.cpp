#include "core/forward/attention_kernel.h"

#include <algorithm>
#include <array>

#include "core/forward/attention_vectors.h"

namespace plastiscope {

const AttentionKernel kPortableAttention{"portable", [] { return true; },
                                         attendTask<VectorLevel<FloatVectors<4>>, float>,
                                         attendTask<VectorLevel<FloatVectors<4>>, BFloat16>};

std::span<const AttentionKernel> attentionKernels() {
#if defined(__x86_64__)
  // On Intel processors, bfloat16 products in vectors are slower than float32 ones (measured: 0.63 of the
  // speed for attention), on AMD processors twice as fast.
  static const bool intel = __builtin_cpu_is("intel");
  static const std::array kernels = {
      kAmxAttention,
      intel ? kAvx512Attention : kAvx512Bf16Attention,
      intel ? kAvx512Bf16Attention : kAvx512Attention,
      kAvx2Attention,
      kPortableAttention,
  };
#else
  static const std::array kernels = {kPortableAttention};
#endif
  return kernels;
}

const AttentionKernel& attentionKernel(AttentionNumbers numbers) {
  const auto kernels = attentionKernels();
  return *std::find_if(kernels.begin(), kernels.end(), [&](const AttentionKernel& kernel) {
    return kernel.body(numbers) != nullptr && kernel.supported();
  });
}

std::int64_t attentionTaskRows(std::int64_t group, std::int64_t width) {
  constexpr std::int64_t kKeptBytes = 512 * 1024;  // of queries and sums per task
  const std::int64_t position = 8 * group * roundUp(width, kMaxColumns);
  return std::max<std::int64_t>(1, kKeptBytes / std::max<std::int64_t>(1, position));
}

std::size_t attentionScratchBytes(std::int64_t rows, std::int64_t group, std::int64_t width) {
  return static_cast<std::size_t>(ScratchSizes(rows * group, width).words()) * sizeof(float);
}

}  // namespace plastiscope
