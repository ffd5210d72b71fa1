#pragma once
// Causal attention of queries over all keys before them: memory is
// linear in the number of tokens, no mask is formed and grouped heads share
// their keys without a copy.
#include <ATen/core/Tensor.h>
#include <cstdint>
#include <functional>
#include <span>

namespace plastiscope {

struct AttentionRule {
  double scale = 0;         // scores are q.k * scale
  std::int64_t window = 0;  // tokens a query sees, itself included; 0 = all
  bool chunked = false;     // the window does not slide: a query sees what its
                            // block of `window` tokens holds
  double softcap = 0;       // scores s become softcap tanh(s / softcap); 0 = they do not
  at::Tensor sinks;         // [query_heads] float32: one more score of each head, whose
                            // value is nothing
};

struct AttentionCall {
  const at::Tensor& query;  // [rows, query_heads, head_dim]
  std::int64_t first;       // position of its first row
  const at::Tensor &keys,
      &values;  // [key_heads, tokens, head_dim], at least as many tokens as the last position + 1
  const AttentionRule& rule;
  const std::function<void()>& betweenTiles;     // called often by the calling thread; may throw to stop
  std::span<const std::int32_t> positions = {};  // of all rows, ascending; empty: neighbours from `first` on
};

// [rows, query_heads * head_dim]. float32 and bfloat16 on a CPU: the best
// kernel of attention_kernel.h; anything else: libraryAttention().
at::Tensor causalAttention(const AttentionCall& call);

// float32 or bfloat16 on a CPU, by a kernel that this processor supports and
// that has such numbers.
struct AttentionKernel;
at::Tensor kernelAttention(const AttentionCall& call, const AttentionKernel& kernel);

}  // namespace plastiscope
