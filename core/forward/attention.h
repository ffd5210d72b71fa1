#pragma once
// Causal attention of a run of queries over all keys before them, through libtorch's fused kernels: memory is
// linear in the number of tokens, no mask is formed and grouped heads share their keys without a copy.
#include <ATen/core/Tensor.h>
#include <cstdint>
#include <functional>

namespace plastiscope {

struct AttentionRule {
  double scale = 0;         // scores are q.k * scale
  std::int64_t window = 0;  // tokens a query sees, itself included; 0 = all
  bool chunked = false;     // the window does not slide: a query sees what its block of `window` tokens holds
  double softcap = 0;       // scores s become softcap tanh(s / softcap); 0 = they do not
  at::Tensor sinks;         // [query_heads] float32: one more score of each head, whose value is nothing
};

// query [rows, query_heads, head_dim] are the positions first .. first + rows - 1; keys and values
// [key_heads, tokens, head_dim] hold at least first + rows positions. Returns [rows, query_heads * head_dim].
// Keys are attended in blocks (key_blocks.h) that are merged by their log-sum-exp (Dao et al. 2022,
// section 3.1). `betweenTiles` is called before every tile of queries and may throw to stop.
at::Tensor causalAttention(const at::Tensor& query, std::int64_t first, const at::Tensor& keys,
                           const at::Tensor& values, const AttentionRule& rule,
                           const std::function<void()>& betweenTiles);

// ---- Attention with capped scores (Gemma 2), which no fused kernel has.

// Attention over one block of keys.
struct AttentionPart {
  at::Tensor out;  // [key_heads, group, rows, head_dim]
  at::Tensor lse;  // [key_heads, group, rows] float32, natural logarithm of the sum of exp(scores)
};

// q [key_heads, group, rows, head_dim], k and v [key_heads, group, keys, head_dim] (group of stride 0).
// Scores are cap tanh(q.k scale / cap). They are formed for kRowBlock rows of one key head and at most
// kAttentionTile keys at a time, so memory does not grow with the number of keys.
AttentionPart softcapAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, bool causal,
                               double scale, double cap);

}  // namespace plastiscope
