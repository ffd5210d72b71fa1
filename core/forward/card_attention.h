#pragma once
// Attention of 16-bit numbers by the fused kernels of a graphics card.
#include <optional>

#include "core/forward/attention.h"

namespace plastiscope {

// As causalAttention(), of neighbours on a card; nothing where its kernels do not take such heads or rules.
std::optional<at::Tensor> cardAttention(const AttentionCall& call);

}  // namespace plastiscope
