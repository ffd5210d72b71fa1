#pragma once
// Attention through libtorch's fused kernels: for devices and types that have no kernel of our own, and what
// ours are compared with.
#include "core/forward/attention.h"

namespace plastiscope {

// As causalAttention(). Keys are attended in blocks (row_blocks.h) that are merged by their log-sum-exp (Dao
// et al. 2022, section 3.1).
at::Tensor libraryAttention(const AttentionCall& call);

}  // namespace plastiscope
