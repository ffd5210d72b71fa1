#include "core/forward/library_attention.h"

#include <ATen/ops/_scaled_dot_product_efficient_attention.h>
#include <ATen/ops/_scaled_dot_product_flash_attention.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/full.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

#include "core/forward/card_attention.h"
#include "core/forward/row_blocks.h"

namespace plastiscope {

namespace {

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
    if (auto out = cardAttention(call)) return *out;
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
