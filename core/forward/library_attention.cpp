// Attention by libtorch's fused kernels.
#include "core/forward/attention.h"

#include <ATen/SDPBackend.h>
#include <ATen/ops/_flash_attention_forward.h>
#include <ATen/ops/_fused_sdp_choice.h>
#include <ATen/ops/_scaled_dot_product_cudnn_attention.h>
#include <ATen/ops/_scaled_dot_product_efficient_attention.h>
#include <ATen/ops/_scaled_dot_product_flash_attention.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/full.h>
#include <ATen/ops/logaddexp.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "core/forward/row_blocks.h"

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

// ---- Attention in 16-bit types by fused GPU kernels, for consecutive positions; nothing if no kernel
// supports the call.

std::optional<at::Tensor> gpuAttention(const AttentionCall& call) {
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

// ---- Attention over blocks of keys.

// Attention over one block of keys.
struct AttentionPart {
  at::Tensor out;  // [key_heads, group, rows, head_dim]
  at::Tensor lse;  // [key_heads, group, rows] float32, natural logarithm of the sum of exp(scores)
};

// ---- Attention with score softcap (Gemma 2), which no fused kernel supports.

constexpr float kNever = -std::numeric_limits<float>::infinity();

// Running softmax of some rows: largest score and, relative to it, sum of weights and weighted values
// (Milakov and Gimelshein 2018), in float32.
class RunningRows {
 public:
  RunningRows(std::int64_t rows, std::int64_t width, const at::TensorOptions& options)
      : m_top(at::full({rows, 1}, kNever, options)),
        m_total(at::zeros({rows, 1}, options)),
        m_sum(at::zeros({rows, width}, options)) {}

  // scores [rows, keys] float32, overwritten; values [keys, width]. Every row sees at least one key.
  void add(at::Tensor& scores, const at::Tensor& values) {
    const at::Tensor top = at::maximum(m_top, scores.amax(1, true));
    const at::Tensor kept = m_top.sub_(top).exp_();
    m_top = top;
    scores.sub_(top).exp_();
    m_total.mul_(kept).add_(scores.sum(1, true));
    m_sum.mul_(kept).add_(at::mm(scores.to(values.scalar_type()), values));
  }
  at::Tensor out() const { return m_sum.div(m_total); }         // [rows, width]
  at::Tensor lse() const { return m_total.log().add_(m_top); }  // [rows, 1]

 private:
  at::Tensor m_top, m_total, m_sum;
};

// Capped scores of q [group * rows, head_dim] and keys [keys, head_dim]: [group * rows, keys] float32. Key j
// is masked for row i of each group if j > i + last.
at::Tensor softcapScores(const at::Tensor& q, const at::Tensor& keys, std::int64_t rows, std::int64_t last,
                         double scale, double cap) {
  at::Tensor scores = at::mm(q, keys.t()).to(at::kFloat).mul_(scale / cap).tanh_().mul_(cap);
  if (last + 1 < keys.size(0)) {
    const auto hidden = at::ones({rows, keys.size(0)}, scores.options().dtype(at::kBool)).triu_(last + 1);
    scores.view({-1, rows, keys.size(0)}).masked_fill_(hidden, kNever);
  }
  return scores;
}

// q [key_heads, group, rows, head_dim], k and v [key_heads, group, keys, head_dim] (group of stride 0).
// Scores are cap tanh(q.k scale / cap), computed for kRowBlock rows of one key head and at most
// kAttentionTile keys at a time, so that memory does not grow with the number of keys.
AttentionPart softcapAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, bool causal,
                               double scale, double cap) {
  const std::int64_t group = q.size(1), width = q.size(3), keys = k.size(2);
  const AttentionPart part{at::empty(q.sizes(), q.options()),
                           at::empty(q.sizes().slice(0, 3), q.options().dtype(at::kFloat))};
  forRowBlocks(q.device(), q.size(2), [&](std::int64_t row, std::int64_t rows) {
    const std::int64_t seen = causal ? row + rows : keys;
    for (std::int64_t head = 0; head < q.size(0); ++head) {
      const at::Tensor ours = q.select(0, head).narrow(1, row, rows).reshape({group * rows, width});
      RunningRows running(group * rows, width, part.lse.options());
      for (std::int64_t begin = 0; begin < seen; begin += kAttentionTile) {
        const std::int64_t count = std::min(kAttentionTile, seen - begin);
        at::Tensor scores = softcapScores(ours, k.select(0, head).select(0, 0).narrow(0, begin, count), rows,
                                          causal ? row - begin : count, scale, cap);
        running.add(scores, v.select(0, head).select(0, 0).narrow(0, begin, count));
      }
      part.out.select(0, head).narrow(1, row, rows).copy_(running.out().view({group, rows, width}));
      part.lse.select(0, head).narrow(1, row, rows).copy_(running.lse().view({group, rows}));
    }
  });
  return part;
}

// ---- Attention with or without softcap.

// q [key_heads, group, rows, head_dim], k and v [key_heads, group, keys, head_dim] (group of stride 0).
AttentionPart fusedAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, bool causal,
                             double scale) {
  if (q.device().is_cpu()) {
    auto [out, lse] = at::_scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, causal, {}, scale);
    return {out, lse};
  }
  // CUDA's flash kernel supports 16-bit types and head sizes that are multiples of 8 up to 256.
  const std::int64_t width = q.size(3);
  if (q.scalar_type() != at::kFloat && width <= 256 && width % 8 == 0) {
    const auto result = at::_scaled_dot_product_flash_attention(q, k, v, 0.0, causal, false, scale);
    return {std::get<0>(result), std::get<1>(result)};
  }
  // The memory-efficient kernel needs rows that are multiples of 16 bytes.
  const auto padded = [&](const at::Tensor& heads) {
    return width % 8 == 0 ? heads : at::constant_pad_nd(heads, {0, 8 - width % 8});
  };
  const auto result = at::_scaled_dot_product_efficient_attention(padded(q), padded(k), padded(v), {}, true,
                                                                  0.0, causal, scale);
  return {std::get<0>(result).narrow(3, 0, width),
          std::get<1>(result).narrow(2, 0, q.size(2))};  // padded by the kernel
}

AttentionPart attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, bool causal,
                        const AttentionRule& rule) {
  if (rule.softcap > 0) return softcapAttention(q, k, v, causal, rule.scale, rule.softcap);
  return fusedAttention(q, k, v, causal, rule.scale);
}

at::Tensor headsOf(const at::Tensor& keys, const KeyBlock& block, std::int64_t group) {
  return keys.narrow(1, block.begin, block.end - block.begin).unsqueeze(1).expand({-1, group, -1, -1});
}

AttentionPart attendBlock(const at::Tensor& q, const at::Tensor& keys, const at::Tensor& values,
                          const KeyBlock& block, const AttentionRule& rule) {
  const at::Tensor k = headsOf(keys, block, q.size(1));
  const at::Tensor v = headsOf(values, block, q.size(1));
  if (block.shape != BlockShape::Edge) return attention(q, k, v, block.shape == BlockShape::Causal, rule);
  // In reverse order, the start of a sliding window is a causal block.
  const auto flipped = [](const at::Tensor& heads) { return heads.select(1, 0).flip(1).unsqueeze(1); };
  const AttentionPart reversed =
      attention(q.flip(2), flipped(k).expand_as(k), flipped(v).expand_as(v), true, rule);
  return {reversed.out.flip(2), reversed.lse.flip(2)};
}

// Rows [first, first + count) of the merged parts: [count, key_heads, group, head_dim]. `sinks` [key_heads,
// group, 1] or undefined: additional scores without values.
at::Tensor mergedRows(const std::vector<AttentionPart>& partials, std::int64_t first, std::int64_t count,
                      const at::Tensor& sinks) {
  const auto outOf = [&](const AttentionPart& p) { return p.out.narrow(2, first, count); };
  if (partials.size() == 1 && !sinks.defined()) return outOf(partials[0]).permute({2, 0, 1, 3});
  const auto lseOf = [&](const AttentionPart& p) { return p.lse.narrow(2, first, count); };
  at::Tensor top = lseOf(partials[0]);
  for (std::size_t i = 1; i < partials.size(); ++i) top = at::maximum(top, lseOf(partials[i]));
  if (sinks.defined()) top = at::maximum(top, sinks);
  at::Tensor sum, total;
  for (const auto& partial : partials) {
    const at::Tensor weight = lseOf(partial).sub(top).exp_();
    const at::Tensor weighted = outOf(partial).to(at::kFloat).mul(weight.unsqueeze(3));
    total = total.defined() ? total.add_(weight) : weight;
    sum = sum.defined() ? sum.add_(weighted) : weighted;
  }
  if (sinks.defined()) total = total.add(at::exp(sinks.sub(top)));
  return sum.div_(total.unsqueeze(3)).permute({2, 0, 1, 3});
}

}  // namespace

at::Tensor libraryAttention(const AttentionCall& call) {
  if (!call.query.device().is_cpu()) {
    call.betweenTiles();
    if (auto out = gpuAttention(call)) return *out;
  }
  const auto& [query, first, keys, values, rule, betweenTiles, neighbours] = call;
  const std::int64_t rows = query.size(0), heads = query.size(1), width = query.size(2);
  const std::int64_t keyHeads = keys.size(0), group = heads / keyHeads;
  const at::Tensor out = at::empty({rows, keyHeads, group, width}, query.options());
  const at::Tensor sinks = rule.sinks.defined() ? rule.sinks.view({keyHeads, group, 1}) : at::Tensor();
  const AttentionMask mask{rule.window, rule.chunked};
  for (std::int64_t begin = first; begin < first + rows;) {
    const std::int64_t end = tileEnd(begin, first + rows, mask);
    betweenTiles();
    const at::Tensor tile = out.narrow(0, begin - first, end - begin);
    const at::Tensor q = query.narrow(0, begin - first, end - begin)
                             .view({end - begin, keyHeads, group, width})
                             .permute({1, 2, 0, 3});
    std::vector<AttentionPart> partials;
    for (const auto& block : keyBlocks(begin, end, mask)) {
      partials.push_back(attendBlock(q, keys, values, block, rule));
    }
    forRowBlocks(query.device(), end - begin, [&](std::int64_t row, std::int64_t count) {
      tile.narrow(0, row, count).copy_(mergedRows(partials, row, count, sinks));
    });
    begin = end;
  }
  return out.view({rows, heads * width});
}

}  // namespace plastiscope
