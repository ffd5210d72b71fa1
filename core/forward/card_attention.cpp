#include "core/forward/card_attention.h"

#include <ATen/SDPBackend.h>
#include <ATen/ops/_flash_attention_forward.h>
#include <ATen/ops/_fused_sdp_choice.h>
#include <ATen/ops/_scaled_dot_product_cudnn_attention.h>
#include <ATen/ops/logaddexp.h>
#include <ATen/ops/sigmoid.h>
#include <algorithm>
#include <tuple>

namespace plastiscope {

namespace {

struct Attended {
  at::Tensor out;  // [rows, heads, head_dim]
  at::Tensor lse;  // [rows, heads, 1] float32, natural logarithm of the sum of exp(scores)
};

// All keys visible to some rows, [begin, end), in the form of the fused kernels.
struct SeenKeys {
  SeenKeys(const AttentionCall& call, std::int64_t begin, std::int64_t end)
      : keys(call.keys.narrow(1, begin, end - begin).unsqueeze(0)),
        values(call.values.narrow(1, begin, end - begin).unsqueeze(0)) {}
  at::Tensor keys, values;  // [1, key_heads, count, head_dim]
};

// FlashAttention (Dao 2023): aligns the last row with the last key; supports sliding windows.
Attended flash(const AttentionCall& call, const SeenKeys& seen) {
  const AttentionRule& rule = call.rule;
  const std::int64_t rows = call.query.size(0), count = seen.keys.size(2);
  std::optional<std::int64_t> left, right;
  if (rule.window > 0) left = rule.window - 1, right = 0;
  const auto result = at::_flash_attention_forward(
      call.query.unsqueeze(0), seen.keys.transpose(1, 2), seen.values.transpose(1, 2), {}, {}, rows, count,
      0.0, /*is_causal=*/true, /*return_debug_mask=*/false, rule.scale, left, right);
  return {std::get<0>(result).squeeze(0), std::get<1>(result).view({-1, rows}).t().unsqueeze(2)};
}

// cuDNN: faster on some GPUs, but aligns the first row with the first key, so keys before the rows need a
// separate block.
Attended cudnn(const AttentionCall& call, const SeenKeys& seen, bool causal) {
  const std::int64_t rows = call.query.size(0);
  const auto result = at::_scaled_dot_product_cudnn_attention(
      call.query.transpose(0, 1).unsqueeze(0), seen.keys, seen.values, {}, /*compute_log_sumexp=*/true, 0.0,
      causal, /*return_debug_mask=*/false, call.rule.scale);
  return {std::get<0>(result).squeeze(0).transpose(0, 1),
          std::get<1>(result).reshape({-1, rows}).t().unsqueeze(2)};
}

// Merges the results of both blocks of keys in float32 (Dao et al. 2022, section 3.1).
Attended merged(const Attended& a, const Attended& b) {
  const at::Tensor share = at::sigmoid(b.lse.sub(a.lse));
  return {a.out.to(at::kFloat).lerp_(b.out.to(at::kFloat), share), at::logaddexp(a.lse, b.lse)};
}

std::optional<Attended> attended(const AttentionCall& call) {
  const std::int64_t rows = call.query.size(0), end = call.first + rows;
  const SeenKeys own(call, call.first, end);
  const auto choice = static_cast<at::SDPBackend>(
      at::_fused_sdp_choice(call.query.transpose(0, 1).unsqueeze(0), own.keys, own.values, {}, 0.0,
                            /*is_causal=*/true, call.rule.scale, /*enable_gqa=*/true));
  if (choice != at::SDPBackend::flash_attention && choice != at::SDPBackend::cudnn_attention) return {};
  const std::int64_t window = call.rule.window;
  if (window > 0 || choice == at::SDPBackend::flash_attention)
    return flash(call, {call, window > 0 ? std::max<std::int64_t>(0, call.first - window + 1) : 0, end});
  const Attended near = cudnn(call, own, true);
  return call.first > 0 ? merged(cudnn(call, {call, 0, call.first}, false), near) : near;
}

}  // namespace

std::optional<at::Tensor> cardAttention(const AttentionCall& call) {
  const AttentionRule& rule = call.rule;
  const auto type = call.query.scalar_type();
  if (rule.softcap > 0 || rule.chunked || (type != at::kBFloat16 && type != at::kHalf)) return {};
  if (call.query.size(2) % 8 != 0) return {};
  const auto done = attended(call);
  if (!done) return {};
  at::Tensor out = done->out;
  if (rule.sinks.defined())  // part of the softmax, without a value
    out = out.to(at::kFloat).mul(at::sigmoid(done->lse.sub(rule.sinks.view({1, -1, 1}))));
  return out.to(type).reshape({call.query.size(0), -1});
}

}  // namespace plastiscope
