#pragma once
// Rotary position embedding (Su et al. 2021) applied to rows of queries or keys.
#include <ATen/core/Tensor.h>

#include "core/forward/device.h"
#include "core/forward/rope_scaling.h"

namespace plastiscope {

// cos and sin of consecutive positions, in the compute type: [rows, 1, rotaryDim / 2].
struct RopeRows {
  at::Tensor cos, sin;
};

// Angles and their cos and sin are formed in float32 and only then rounded to the compute type.
// `inverse` [rotaryDim / 2] float32, on the compute device.
RopeRows ropeRows(const at::Tensor& inverse, double attentionFactor, std::int64_t firstPosition,
                  std::int64_t rows, const Compute& compute);

// Turns the first rotaryDim numbers of each vector and copies the rest. vectors, out: [rows, heads,
// head_dim].
void applyRope(const at::Tensor& vectors, const RopeRows& rows, bool interleaved, const at::Tensor& out);

}  // namespace plastiscope
