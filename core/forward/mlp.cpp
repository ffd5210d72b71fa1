#include "core/forward/mlp.h"

#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/silu.h>

namespace plastiscope {

namespace {

void activate(at::Tensor gate, Activation activation) {
  switch (activation) {
    case Activation::Silu:
      at::silu_(gate);
      return;
    case Activation::GeluTanh:
      at::gelu_(gate, "tanh");
      return;
    case Activation::Gelu:
      at::gelu_(gate);
      return;
  }
}

}  // namespace

at::Tensor gatedMlp(const at::Tensor& x, const MlpWeights& weights, Activation activation) {
  const std::int64_t width = weights.down.size(1);
  const at::Tensor both = at::linear(x, weights.gateUp, weights.gateUpBias);  // [rows, 2 * intermediate]
  at::Tensor gate = both.narrow(1, 0, width);
  activate(gate, activation);
  return at::linear(gate.mul_(both.narrow(1, width, width)), weights.down, weights.downBias);
}

}  // namespace plastiscope
