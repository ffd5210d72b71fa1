#pragma once
// Attention by libtorch's fused kernels: for devices and types without a kernel of the project, and as
// reference for tests.
#include "core/forward/attention.h"

namespace plastiscope {

// Same as causalAttention(). Processes keys in blocks (row_blocks.h) and merges them by their log-sum-exp
// (Dao et al. 2022, section 3.1).
at::Tensor libraryAttention(const AttentionCall& call);

}  // namespace plastiscope
