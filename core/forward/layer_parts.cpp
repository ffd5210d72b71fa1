#include "core/forward/layer_parts.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/expm1.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/rms_norm.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <algorithm>
#include <limits>
#include <optional>

namespace plastiscope {

at::Tensor normalised(const at::Tensor& x, const NormWeights& weights, const NormSpec& spec) {
  if (hasRowSteps(x)) {
    const at::Tensor out = at::empty(x.sizes(), x.options());
    const VectorNormOf norm(weights, spec, x.size(-1));
    runStep(NormStep{countOf(x), vectorsOf(x), {}, vectorsOf(out), 1, norm.norm()});
    return out;
  }
  const auto isPlain = [&](const at::Tensor& weight) {
    return !weight.defined() || (weight.dim() == 1 && weight.scalar_type() == x.scalar_type());
  };
  if (!x.device().is_cpu() && !spec.subtractMean && isPlain(weights.weight) && !weights.bias.defined())
    return at::rms_norm(x, x.size(-1),
                        weights.weight.defined() ? std::optional(weights.weight) : std::nullopt, spec.eps);
  at::Tensor wide = x.to(at::kFloat);
  if (spec.subtractMean) wide = wide.sub(wide.mean(-1, /*keepdim=*/true));
  const at::Tensor scale = wide.square().mean(-1, /*keepdim=*/true).add_(spec.eps).rsqrt_();
  at::Tensor normed = wide.mul(scale);
  if (!spec.computeInFloat32) normed = normed.to(x.scalar_type());
  if (weights.weight.defined()) normed.mul_(weights.weight);
  if (weights.bias.defined()) normed.add_(weights.bias);
  return normed.to(x.scalar_type());
}

at::Tensor addedAndNormed(const at::Tensor& rows, const at::Tensor& added, double scale,
                          const NormWeights& weights, const NormSpec& spec) {
  const bool normed = weights.weight.defined();
  if (!hasRowSteps(rows) || !hasRowSteps(added) || added.scalar_type() != rows.scalar_type()) {
    rows.add_(added, scale);
    return normalisedIfAny(rows, weights, spec);
  }
  const at::Tensor out = normed ? at::empty(rows.sizes(), rows.options()) : rows;
  const VectorNormOf norm(weights, spec, rows.size(-1));
  runStep(NormStep{countOf(rows), vectorsOf(rows), vectorsOf(added),
                   normed ? vectorsOf(out) : StridedVectors(), static_cast<float>(scale), norm.norm()});
  return out;
}

at::Tensor normalisedIfAny(const at::Tensor& x, const NormWeights& weights, const NormSpec& spec) {
  return weights.weight.defined() ? normalised(x, weights, spec) : x;
}

namespace {

// xIELU (Huang and Schlag 2024) with learned parameters, computed in the type of x as in the reference
// implementation.
at::Tensor xielu(const at::Tensor& x, const at::Tensor& parameters) {
  const auto number = [&](std::int64_t i) { return parameters[i].item<float>(); };
  const auto softplus = [&](std::int64_t i) { return at::softplus(parameters[i]).item<float>(); };
  const float beta = number(2), eps = number(3);
  const float positive = softplus(0), negative = beta + softplus(1);
  const at::Tensor above = x.mul(x).mul_(positive).add_(x, beta);
  const at::Tensor below = at::expm1(x.clamp_max(eps)).sub_(x).mul_(negative).add_(x, beta);
  return at::where(x.gt(0), above, below);
}

void activate(at::Tensor& x, const MlpWeights* weights, Activation activation) {
  switch (activation) {
    case Activation::Silu:
    case Activation::ClampedSwiglu:
      at::silu_(x);
      return;
    case Activation::GeluTanh:
      at::gelu_(x, "tanh");
      return;
    case Activation::Gelu:
      at::gelu_(x);
      return;
    case Activation::ReluSquared:
      x.relu_().square_();
      return;
    case Activation::Xielu:
      x = xielu(x, weights->xielu);
      return;
  }
}

// SwiGLU of gpt-oss: both inputs clamped, gate x sigmoid(1.702 x), one added to up.
at::Tensor clampedSwiglu(const at::Tensor& gate, const at::Tensor& up) {
  constexpr double kAlpha = 1.702, kLimit = 7;
  const at::Tensor g = gate.clamp_max(kLimit), u = up.clamp(-kLimit, kLimit);
  return u.add_(1).mul_(g.mul(at::sigmoid(g.mul(kAlpha))));
}

}  // namespace

at::Tensor gated(at::Tensor gate, const at::Tensor& up, Activation activation) {
  if (activation == Activation::ClampedSwiglu) return clampedSwiglu(gate, up);
  if (hasRowSteps(gate) && (activation == Activation::Silu || activation == Activation::GeluTanh)) {
    const GateKind kind = activation == Activation::Silu ? GateKind::Silu : GateKind::GeluTanh;
    runStep(GateStep{countOf(gate), vectorsOf(gate), vectorsOf(up), kind});
    return gate;
  }
  activate(gate, nullptr, activation);
  return gate.mul_(up);
}

namespace {

// MlpWeights::gateCut, computed in float32.
at::Tensor aboveCut(const at::Tensor& gate, std::optional<double> cut) {
  if (!cut) return gate;
  const at::Tensor wide = gate.to(at::kFloat), centred = wide.sub(wide.mean(-1, /*keepdim=*/true));
  const at::Tensor deviation = centred.square().mean(-1, /*keepdim=*/true).sqrt_();
  return centred.sub(deviation, *cut).relu_().to(gate.scalar_type());
}

// act(gate) * up of x, [rows, width]. GPUs are twice as fast with contiguous numbers, so gate and up are
// separate products there.
at::Tensor gatedOf(const at::Tensor& x, const Linear& gateUp, std::int64_t width, Activation activation,
                   std::optional<double> cut = {}) {
  if (!x.device().is_cpu()) {
    const at::Tensor gate = aboveCut(gateUp.outputs(0, width).times(x), cut);
    return gated(gate, gateUp.outputs(width, width).times(x), activation);
  }
  const at::Tensor both = gateUp.times(x);  // [rows, 2 * width]
  return gated(aboveCut(both.narrow(1, 0, width), cut), both.narrow(1, width, width), activation);
}

}  // namespace

at::Tensor mlp(const at::Tensor& x, const MlpWeights& weights, Activation activation) {
  if (weights.gateUp.defined()) {
    return weights.down.times(gatedOf(x, weights.gateUp, weights.down.inputs(), activation, weights.gateCut));
  }
  at::Tensor inner = weights.up.times(x);
  activate(inner, &weights, activation);
  return weights.down.times(inner);
}

namespace {

struct Choice {
  at::Tensor experts;  // [rows, used] int64
  at::Tensor weights;  // [rows, used] float32
};

// Scores [rows, experts], masked outside the best groups.
at::Tensor ofBestGroups(const at::Tensor& scores, const ExpertSpec& spec) {
  if (spec.groups <= 1) return scores;
  const at::Tensor grouped = scores.view({scores.size(0), spec.groups, -1});
  const at::Tensor strength =
      std::get<0>(grouped.topk(std::min(spec.groupRank, grouped.size(2)), -1)).sum(-1);  // [rows, groups]
  const at::Tensor best = std::get<1>(strength.topk(spec.usedGroups, -1, true, false));  // [rows, usedGroups]
  const at::Tensor open = at::zeros_like(strength).scatter_(1, best, 1).unsqueeze(-1).expand_as(grouped);
  return grouped.masked_fill(open.eq(0), -std::numeric_limits<float>::infinity()).view_as(scores);
}

Choice choose(const at::Tensor& x, const ExpertWeights& weights, const ExpertSpec& spec) {
  const at::Tensor logits = spec.routerInFloat32
                                ? at::linear(x.to(at::kFloat), weights.router.to(at::kFloat))
                                : at::linear(x, weights.router, weights.routerBias).to(at::kFloat);
  const at::Tensor scores =
      spec.score == RouterScore::Softmax ? at::softmax(logits, -1, at::kFloat) : at::sigmoid(logits);
  const at::Tensor ranking = weights.correction.defined() ? scores.add(weights.correction) : scores;
  Choice choice;
  choice.experts = std::get<1>(ofBestGroups(ranking, spec).topk(spec.used, -1));
  choice.weights = scores.gather(1, choice.experts);
  if (spec.renormalise) {
    // Sigmoid scores can all vanish, softmax scores cannot.
    const double floor = spec.score == RouterScore::Sigmoid ? 1e-20 : 0;
    choice.weights = choice.weights.div(choice.weights.sum(-1, /*keepdim=*/true).add_(floor));
  }
  choice.weights = choice.weights.mul(spec.scale);
  if (weights.expertScale.defined())
    choice.weights = choice.weights.mul(weights.expertScale.index({choice.experts}));
  return choice;
}

// Applies one expert to the rows that chose it.
at::Tensor throughExpert(const at::Tensor& rows, const Linear& gateUp, const Linear& down,
                         Activation activation) {
  return down.times(gatedOf(rows, gateUp, down.inputs(), activation));
}

}  // namespace

at::Tensor throughExperts(const at::Tensor& x, const at::Tensor& routed, const ExpertWeights& weights,
                          const ExpertSpec& spec, Activation activation) {
  const Choice choice = choose(routed, weights, spec);
  at::Tensor sum = at::zeros_like(x);
  for (std::size_t expert = 0; expert < weights.down.size(); ++expert) {
    const Linear &gateUp = weights.gateUp[expert], &down = weights.down[expert];
    const at::Tensor hits = choice.experts.eq(static_cast<std::int64_t>(expert))
                                .nonzero();  // [chosen, 2]: row, index in the choice
    if (hits.size(0) == 0) continue;
    const at::Tensor rows = hits.select(1, 0);
    const at::Tensor share = choice.weights.index({rows, hits.select(1, 1)}).unsqueeze(1);  // float32
    const at::Tensor chosen = x.index_select(0, rows);
    const auto shared = [&](const at::Tensor& values) { return values.mul(share).to(x.scalar_type()); };
    const at::Tensor out = spec.scaleInput ? throughExpert(shared(chosen), gateUp, down, activation)
                                           : shared(throughExpert(chosen, gateUp, down, activation));
    sum.index_add_(0, rows, out);
  }
  if (weights.shared.down.defined()) {
    at::Tensor shared = mlp(x, weights.shared, activation);
    if (weights.sharedGate.defined()) shared.mul_(at::sigmoid(at::linear(x, weights.sharedGate)));
    sum.add_(shared);
  }
  return sum;
}

bool hasRowSteps(const at::Tensor& x) {
  const bool known = x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16;
  return known && x.is_cpu() && (x.dim() == 2 || x.dim() == 3) && x.stride(-1) == 1;
}

StridedVectors vectorsOf(const at::Tensor& x) {
  return {x.data_ptr(), x.stride(0), x.dim() == 3 ? x.stride(1) : 0};
}

VectorCount countOf(const at::Tensor& x) {
  return {x.size(0), x.dim() == 3 ? x.size(1) : 1, x.size(-1),
          x.scalar_type() == at::kFloat ? NumberType::Float32 : NumberType::Bfloat16};
}

VectorNormOf::VectorNormOf(const NormWeights& weights, const NormSpec& spec, std::int64_t size) {
  const auto floats = [](const at::Tensor& x) { return x.defined() ? x.to(at::kFloat).contiguous() : x; };
  m_weight = floats(weights.weight);
  m_bias = floats(weights.bias);
  m_norm.eps = spec.eps;
  m_norm.subtractMean = spec.subtractMean;
  m_norm.roundFirst = !spec.computeInFloat32;
  if (m_weight.defined()) m_norm.weight = m_weight.const_data_ptr<float>();
  if (m_bias.defined()) m_norm.bias = m_bias.const_data_ptr<float>();
  m_norm.headStep = m_weight.defined() && m_weight.numel() > size ? size : 0;
}

}  // namespace plastiscope
