#include "core/forward/capped_attention.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <limits>

#include "core/forward/key_blocks.h"
#include "core/forward/row_blocks.h"

namespace plastiscope {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

// What some rows have seen so far: their largest score, and relative to it the sum of weights and the
// weighted values (Milakov and Gimelshein 2018). All float32.
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

// The scores of q [group * rows, head_dim] with keys [keys, head_dim] as [group * rows, keys] float32. Key j
// is hidden from row i of each group when j > i + last.
at::Tensor cappedScores(const at::Tensor& q, const at::Tensor& keys, std::int64_t rows, std::int64_t last,
                        double scale, double cap) {
  at::Tensor scores = at::mm(q, keys.t()).to(at::kFloat).mul_(scale / cap).tanh_().mul_(cap);
  if (last + 1 < keys.size(0)) {
    const auto hidden = at::ones({rows, keys.size(0)}, scores.options().dtype(at::kBool)).triu_(last + 1);
    scores.view({-1, rows, keys.size(0)}).masked_fill_(hidden, kNever);
  }
  return scores;
}

}  // namespace

AttentionPart cappedAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, bool causal,
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
        at::Tensor scores = cappedScores(ours, k.select(0, head).select(0, 0).narrow(0, begin, count), rows,
                                         causal ? row - begin : count, scale, cap);
        running.add(scores, v.select(0, head).select(0, 0).narrow(0, begin, count));
      }
      part.out.select(0, head).narrow(1, row, rows).copy_(running.out().view({group, rows, width}));
      part.lse.select(0, head).narrow(1, row, rows).copy_(running.lse().view({group, rows}));
    }
  });
  return part;
}

}  // namespace plastiscope
