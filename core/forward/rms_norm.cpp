#include "core/forward/rms_norm.h"

namespace plastiscope {

at::Tensor rmsNorm(const at::Tensor& x, const at::Tensor& weight, double eps) {
  const at::Tensor wide = x.to(at::kFloat);
  const at::Tensor scale = wide.square().mean(-1, /*keepdim=*/true).add_(eps).rsqrt_();  // [rows, 1]
  at::Tensor normed = wide.mul(scale);
  if (x.scalar_type() == at::kFloat) return normed.mul_(weight);
  return normed.to(x.scalar_type()).mul_(weight);
}

}  // namespace plastiscope
