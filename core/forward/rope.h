#pragma once
// Rotary position embedding (Su et al. 2021) of query and key rows.
#include <ATen/core/Tensor.h>
#include <array>
#include <cstdint>
#include <string_view>

#include "core/forward/device.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// cos and sin per position in the compute type: [rows, 1, rotaryDim / 2].
struct RopeRows {
  at::Tensor cos, sin;
};

// Angles, cos and sin are computed in float32, then rounded to the compute type. `inverse` [rotaryDim / 2]
// float32, on the compute device. positions [rows] int64.
RopeRows ropeRows(const at::Tensor& inverse, double attentionFactor, const at::Tensor& positions,
                  const Compute& compute);

// Rotates the first rotaryDim numbers of each vector, copies the rest. vectors, out: [rows, heads, head_dim].
void applyRope(const at::Tensor& vectors, const RopeRows& rows, bool interleaved, const at::Tensor& out);

// ---- RoPE kinds and their inverse frequencies.

// Angles are position * inverse; cos and sin are multiplied by attentionFactor.
struct RopeFrequencies {
  at::Tensor inverse;  // [rotaryDim / 2] float32, on the CPU
  double attentionFactor = 1;
};

// A kind of core/model/rope_kinds.h. `compute` gets the length of the whole example, on which dynamic and
// longrope depend.
struct RopeScaling {
  std::string_view name;
  RopeFrequencies (*compute)(const RopeSpec& rope, std::int64_t tokens);
};

// All kinds. To add one: its function and one line in rope.cpp.
extern const std::array<RopeScaling, 7> kRopeScalings;

// Frequencies for an example of `tokens` tokens, divided by rope.frequencyFactors if set (GGUF). Computed in
// float32 with libtorch, operation by operation like the reference implementations: float64 tables change
// rows of deep layers by up to 3e-3 at position 10,000. InputError for an unknown kind.
RopeFrequencies ropeFrequencies(const RopeSpec& rope, std::int64_t tokens);

}  // namespace plastiscope
