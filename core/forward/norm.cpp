#include "core/forward/norm.h"

namespace plastiscope {

at::Tensor normalised(const at::Tensor& x, const NormWeights& weights, const NormSpec& spec) {
  at::Tensor wide = x.to(at::kFloat);
  if (spec.centred) wide = wide.sub(wide.mean(-1, /*keepdim=*/true));
  const at::Tensor scale = wide.square().mean(-1, /*keepdim=*/true).add_(spec.eps).rsqrt_();
  at::Tensor normed = wide.mul(scale);
  if (!spec.wide) normed = normed.to(x.scalar_type());
  if (weights.weight.defined()) normed.mul_(weights.weight);
  if (weights.bias.defined()) normed.add_(weights.bias);
  return normed.to(x.scalar_type());
}

at::Tensor normalisedIfAny(const at::Tensor& x, const NormWeights& weights, const NormSpec& spec) {
  return weights.weight.defined() ? normalised(x, weights, spec) : x;
}

}  // namespace plastiscope
