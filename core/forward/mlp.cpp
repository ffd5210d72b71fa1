#include "core/forward/mlp.h"

#include <ATen/ops/expm1.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/where.h>

namespace plastiscope {

namespace {

// xIELU (Huang and Schlag 2024) with its learned slopes; in the type of x, as the published models compute
// it.
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
    case Activation::Xielu:
      x = xielu(x, weights->xielu);
      return;
  }
}

// The SwiGLU of gpt-oss: both sides are clamped, the gate is x sigmoid(1.702 x), and one is added to up.
at::Tensor clampedSwiglu(const at::Tensor& gate, const at::Tensor& up) {
  constexpr double kAlpha = 1.702, kLimit = 7;
  const at::Tensor g = gate.clamp_max(kLimit), u = up.clamp(-kLimit, kLimit);
  return u.add_(1).mul_(g.mul(at::sigmoid(g.mul(kAlpha))));
}

}  // namespace

at::Tensor gated(at::Tensor gate, const at::Tensor& up, Activation activation) {
  if (activation == Activation::ClampedSwiglu) return clampedSwiglu(gate, up);
  activate(gate, nullptr, activation);
  return gate.mul_(up);
}

at::Tensor mlp(const at::Tensor& x, const MlpWeights& weights, Activation activation) {
  if (weights.gateUp.defined()) {
    const std::int64_t width = weights.down.size(1);
    const at::Tensor both = at::linear(x, weights.gateUp, weights.gateUpBias);  // [rows, 2 * intermediate]
    const at::Tensor inner = gated(both.narrow(1, 0, width), both.narrow(1, width, width), activation);
    return at::linear(inner, weights.down, weights.downBias);
  }
  at::Tensor inner = at::linear(x, weights.up, weights.upBias);
  activate(inner, &weights, activation);
  return at::linear(inner, weights.down, weights.downBias);
}

}  // namespace plastiscope
