#include "core/forward/chosen_attention.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <algorithm>
#include <vector>

#include "core/forward/row_blocks.h"

namespace plastiscope {

namespace {

// Below every score. Finite, so that a row whose keys of a piece are all hidden gives numbers; they vanish
// with the first key that it sees.
constexpr double kHidden = -1e30;

std::int64_t oldestKey(std::int64_t position, const AttentionRule& rule) {
  if (rule.window <= 0) return 0;
  if (rule.chunked) return position / rule.window * rule.window;
  return std::max<std::int64_t>(0, position - rule.window + 1);
}

// Some queries of the heads that share one key head.
struct Share {
  at::Tensor query;  // [rows, group, head_dim] float32
  const RowChoice& rows;
  at::Tensor keys, values;  // [tokens, head_dim]
  at::Tensor sinks;         // [group] float32 or undefined
};

at::Tensor scoresOf(const Share& share, const at::Tensor& keys, const AttentionRule& rule) {
  at::Tensor scores = at::mm(share.query.flatten(0, 1), keys.t()).mul_(rule.scale);
  if (rule.softcap > 0) scores.div_(rule.softcap).tanh_().mul_(rule.softcap);
  return scores;  // [rows * group, keys]
}

// [rows, group, head_dim] float32.
at::Tensor attend(const Share& share, const AttentionRule& rule) {
  const std::int64_t count = share.rows.count(), group = share.query.size(1), width = share.query.size(2);
  const auto options = share.query.options();
  const at::Tensor newest = share.rows.positions(options.device());
  std::vector<std::int64_t> oldest(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    oldest[static_cast<std::size_t>(i)] = oldestKey(share.rows[i], rule);
  const at::Tensor oldestOfAll =
      at::tensor(oldest, at::TensorOptions(at::kLong)).to(options.device()).unsqueeze(1);
  at::Tensor top = at::full({count * group, 1}, kHidden, options), total = at::zeros_like(top),
             sum = at::zeros({count * group, width}, options);
  const std::int64_t end = share.rows[count - 1] + 1;
  for (std::int64_t begin = oldest.front() / kAttentionTile * kAttentionTile; begin < end;
       begin += kAttentionTile) {
    const std::int64_t keys = std::min(kAttentionTile, end - begin);
    const auto piece = [&](const at::Tensor& all) { return all.narrow(0, begin, keys).to(at::kFloat); };
    at::Tensor scores = scoresOf(share, piece(share.keys), rule);
    if (begin < oldest.back() || begin + keys - 1 > share.rows[0]) {
      const at::Tensor at = at::arange(begin, begin + keys, newest.options());
      const at::Tensor hidden = at.gt(newest.unsqueeze(1)).logical_or_(at.lt(oldestOfAll));  // [rows, keys]
      scores.view({count, group, keys}).masked_fill_(hidden.unsqueeze(1), kHidden);
    }
    const at::Tensor higher = at::maximum(top, scores.amax(1, true));
    const at::Tensor kept = top.sub(higher).exp_();
    top = higher;
    scores.sub_(top).exp_();
    total.mul_(kept).add_(scores.sum(1, true));
    sum.mul_(kept).add_(at::mm(scores, piece(share.values)));
  }
  if (share.sinks.defined()) {
    const at::Tensor sinks = share.sinks.repeat({count}).unsqueeze(1), higher = at::maximum(top, sinks);
    const at::Tensor kept = top.sub(higher).exp_();
    total.mul_(kept).add_(sinks.sub(higher).exp_());
    sum.mul_(kept);
  }
  return sum.div_(total).view({count, group, width});
}

}  // namespace

at::Tensor chosenAttention(const at::Tensor& query, const RowChoice& rows, const at::Tensor& keys,
                           const at::Tensor& values, const AttentionRule& rule) {
  const std::int64_t heads = query.size(1), width = query.size(2), keyHeads = keys.size(0);
  const std::int64_t group = heads / keyHeads;
  const at::Tensor out = at::empty({rows.count(), keyHeads, group, width}, query.options());
  const at::Tensor queries = query.view({rows.count(), keyHeads, group, width});
  // As many rows of scores at a time as a block of rows has.
  const auto parts = tileParts(rows, std::max<std::int64_t>(1, kRowBlock / group));
  const auto work = [&](std::int64_t i) {
    const auto [at, count] = parts[static_cast<std::size_t>(i / keyHeads)];
    const std::int64_t head = i % keyHeads;
    const RowChoice some = rows.part(at, count);
    const Share share{queries.narrow(0, at, count).select(1, head).to(at::kFloat), some, keys[head],
                      values[head],
                      rule.sinks.defined() ? rule.sinks.narrow(0, head * group, group) : at::Tensor()};
    out.narrow(0, at, count).select(1, head).copy_(attend(share, rule));
  };
  const std::int64_t count = std::ssize(parts) * keyHeads;
  if (query.is_cpu()) {
    forEachInParallel(count, work);
  } else {
    for (std::int64_t i = 0; i < count; ++i) work(i);
  }
  return out.view({rows.count(), heads * width});
}

double chosenPairs(const RowChoice& rows, const AttentionRule& rule) {
  double pairs = 0;
  for (std::int64_t i = 0; i < rows.count(); ++i)
    pairs += static_cast<double>(rows[i] + 1 - oldestKey(rows[i], rule));
  return pairs;
}

}  // namespace plastiscope
