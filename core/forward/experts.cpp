#include "core/forward/experts.h"

#include <ATen/ops/linear.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <limits>

namespace plastiscope {

namespace {

struct Choice {
  at::Tensor experts;  // [rows, used] int64
  at::Tensor weights;  // [rows, used] float32
};

// Scores [rows, experts] without those of the weaker groups; a group is as good as its best two experts.
at::Tensor ofBestGroups(const at::Tensor& scores, const ExpertSpec& spec) {
  if (spec.groups <= 1) return scores;
  const at::Tensor grouped = scores.view({scores.size(0), spec.groups, -1});
  const at::Tensor strength = std::get<0>(grouped.topk(2, -1)).sum(-1);                  // [rows, groups]
  const at::Tensor best = std::get<1>(strength.topk(spec.usedGroups, -1, true, false));  // [rows, usedGroups]
  const at::Tensor open = at::zeros_like(strength).scatter_(1, best, 1).unsqueeze(-1).expand_as(grouped);
  return grouped.masked_fill(open.eq(0), -std::numeric_limits<float>::infinity()).view_as(scores);
}

Choice choose(const at::Tensor& x, const ExpertWeights& weights, const ExpertSpec& spec) {
  const at::Tensor logits = spec.wideRouter
                                ? at::linear(x.to(at::kFloat), weights.router.to(at::kFloat))
                                : at::linear(x, weights.router, weights.routerBias).to(at::kFloat);
  const at::Tensor scores =
      spec.score == RouterScore::Softmax ? at::softmax(logits, -1, at::kFloat) : at::sigmoid(logits);
  const at::Tensor ranking = weights.correction.defined() ? scores.add(weights.correction) : scores;
  Choice choice;
  choice.experts = std::get<1>(ofBestGroups(ranking, spec).topk(spec.used, -1));
  choice.weights = scores.gather(1, choice.experts);
  if (spec.renormalise) {
    // Sigmoids may all vanish; softmaxes cannot.
    const double floor = spec.score == RouterScore::Sigmoid ? 1e-20 : 0;
    choice.weights = choice.weights.div(choice.weights.sum(-1, /*keepdim=*/true).add_(floor));
  }
  choice.weights = choice.weights.mul(spec.scale);
  return choice;
}

at::Tensor biasOf(const at::Tensor& biases, std::int64_t expert) {
  return biases.defined() ? biases.select(0, expert) : at::Tensor();
}

// One expert on the rows that chose it.
at::Tensor throughExpert(const at::Tensor& rows, const ExpertWeights& weights, std::int64_t expert,
                         Activation activation) {
  const std::int64_t width = weights.down.size(2);
  const at::Tensor both =
      at::linear(rows, weights.gateUp.select(0, expert), biasOf(weights.gateUpBias, expert));
  const at::Tensor inner = gated(both.narrow(1, 0, width), both.narrow(1, width, width), activation);
  return at::linear(inner, weights.down.select(0, expert), biasOf(weights.downBias, expert));
}

}  // namespace

at::Tensor throughExperts(const at::Tensor& x, const ExpertWeights& weights, const ExpertSpec& spec,
                          Activation activation) {
  const Choice choice = choose(x, weights, spec);
  at::Tensor sum = at::zeros_like(x);
  for (std::int64_t expert = 0; expert < spec.count; ++expert) {
    const at::Tensor hits = choice.experts.eq(expert).nonzero();  // [chosen, 2]: row, place in the choice
    if (hits.size(0) == 0) continue;
    const at::Tensor rows = hits.select(1, 0);
    const at::Tensor share = choice.weights.index({rows, hits.select(1, 1)}).unsqueeze(1);  // float32
    const at::Tensor chosen = x.index_select(0, rows);
    const auto shared = [&](const at::Tensor& values) { return values.mul(share).to(x.scalar_type()); };
    const at::Tensor out = spec.scaleInput ? throughExpert(shared(chosen), weights, expert, activation)
                                           : shared(throughExpert(chosen, weights, expert, activation));
    sum.index_add_(0, rows, out);
  }
  if (weights.shared.down.defined()) {
    at::Tensor shared = mlp(x, weights.shared, activation);
    if (weights.sharedGate.defined()) shared.mul_(at::sigmoid(at::linear(x, weights.sharedGate)));
    sum.add_(shared);
  }
  return sum;
}

}  // namespace plastiscope
