#pragma once
// Root mean square norm (Zhang and Sennrich 2019): formed in float32 whatever the compute type.
#include <ATen/core/Tensor.h>

namespace plastiscope {

// x [rows, width], weight [width] -> [rows, width] in x's type. The scaled row is rounded to that type before
// the weight multiplies it, as the published models do.
at::Tensor rmsNorm(const at::Tensor& x, const at::Tensor& weight, double eps);

}  // namespace plastiscope
