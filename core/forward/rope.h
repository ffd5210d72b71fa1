#pragma once
// Rotary position embedding (Su et al. 2021) applied to rows of queries or keys.
#include <ATen/core/Tensor.h>
#include <array>
#include <cstdint>
#include <string_view>

#include "core/forward/device.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// cos and sin of some positions, in the compute type: [rows, 1, rotaryDim / 2].
struct RopeRows {
  at::Tensor cos, sin;
};

// Angles and their cos and sin are formed in float32 and only then rounded to the compute type. `inverse`
// [rotaryDim / 2] float32, on the compute device. positions [rows] int64.
RopeRows ropeRows(const at::Tensor& inverse, double attentionFactor, const at::Tensor& positions,
                  const Compute& compute);

// Rotates the first rotaryDim numbers of each vector and copies the rest. vectors, out: [rows, heads,
// head_dim].
void applyRope(const at::Tensor& vectors, const RopeRows& rows, bool interleaved, const at::Tensor& out);

// ---- The kinds of rotary position embedding: how each forms its inverse frequencies.

// A position's angles are position * inverseFrequencies; cos and sin are multiplied by attentionFactor.
struct RopeFrequencies {
  at::Tensor inverse;  // [rotaryDim / 2] float32, on the CPU
  double attentionFactor = 1;
};

// One kind of core/model/rope_kinds.h. `compute` gets the spec and the length of the whole example (dynamic
// and longrope depend on it).
struct RopeScaling {
  std::string_view name;
  RopeFrequencies (*compute)(const RopeSpec& rope, std::int64_t tokens);
};

// Every known kind. To add one: its function and one line in rope.cpp.
extern const std::array<RopeScaling, 7> kRopeScalings;

// The frequencies of an example of that many tokens; divided by rope.frequencyFactors where a GGUF file has
// them. Arithmetic is libtorch's float32, operation by operation as the published models form them: tables
// formed in float64 move vectors of deep layers by up to 3e-3 at position 10,000. InputError for an unknown
// kind.
RopeFrequencies ropeFrequencies(const RopeSpec& rope, std::int64_t tokens);

}  // namespace plastiscope
