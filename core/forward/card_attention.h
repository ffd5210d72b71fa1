#pragma once
// Attention in 16-bit types by fused GPU kernels.
#include <optional>

#include "core/forward/attention.h"

namespace plastiscope {

// Same as causalAttention(), for consecutive positions on a GPU; nothing if no kernel supports the call.
std::optional<at::Tensor> cardAttention(const AttentionCall& call);

}  // namespace plastiscope
