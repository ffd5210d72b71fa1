#pragma once
// Causal attention. Memory is linear in the number of tokens, no mask is built, and query heads of a group
// share their keys without a copy.
#include <ATen/core/Tensor.h>
#include <cstdint>
#include <functional>
#include <span>

namespace plastiscope {

struct AttentionRule {
  double scale = 0;         // scores are q.k * scale
  std::int64_t window = 0;  // visible tokens per query, itself included; 0 = all
  bool chunked = false;     // fixed blocks of `window` tokens instead of a
                            // sliding window
  double softcap = 0;       // scores s become softcap tanh(s / softcap); 0 = none
  at::Tensor sinks;         // [query_heads] float32: additional score of each head
                            // without a value
};

struct AttentionCall {
  const at::Tensor& query;  // [rows, query_heads, head_dim]
  std::int64_t first;       // position of its first row
  const at::Tensor &keys,
      &values;  // [key_heads, tokens, head_dim]; tokens > last position
  const AttentionRule& rule;
  const std::function<void()>& betweenTiles;     // called often by the calling thread; may throw to stop
  std::span<const std::int32_t> positions = {};  // of all rows, ascending; empty: consecutive from `first`
};

// Returns [rows, query_heads * head_dim]. Uses the best kernel of attention_kernel.h for float32 and bfloat16
// on a CPU, else libraryAttention().
at::Tensor causalAttention(const AttentionCall& call);

// For float32 or bfloat16 on a CPU, with a kernel that supports this processor and type.
struct AttentionKernel;
at::Tensor kernelAttention(const AttentionCall& call, const AttentionKernel& kernel);

// Same as causalAttention() by libtorch's fused kernels: for devices and types without a kernel of the
// project, and as reference for tests. Processes keys in blocks (row_blocks.h) and merges them by their
// log-sum-exp (Dao et al. 2022, section 3.1).
at::Tensor libraryAttention(const AttentionCall& call);

}  // namespace plastiscope
