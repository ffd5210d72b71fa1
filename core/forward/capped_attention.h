#pragma once
// Attention with capped scores (Gemma 2), which no fused kernel has.
#include <ATen/core/Tensor.h>

namespace plastiscope {

// Attention over one block of keys.
struct AttentionPart {
  at::Tensor out;  // [key_heads, group, rows, head_dim]
  at::Tensor lse;  // [key_heads, group, rows] float32, natural logarithm of the sum of exp(scores)
};

// q [key_heads, group, rows, head_dim], k and v [key_heads, group, keys, head_dim] (group of stride 0).
// Scores are cap tanh(q.k scale / cap). They are formed for kRowBlock rows of one key head and at most
// kAttentionTile keys at a time, so memory does not grow with the number of keys.
AttentionPart cappedAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, bool causal,
                              double scale, double cap);

}  // namespace plastiscope
