#pragma once
// The kernels; each is compiled from its own source with its own flags.
#include "core/forward/attention_kernel.h"

namespace plastiscope {

#if defined(__x86_64__)
extern const AttentionKernel kAmxAttention, kAvx512Bf16Attention, kAvx512Attention, kAvx2Attention;
#endif
extern const AttentionKernel kPortableAttention;

}  // namespace plastiscope
