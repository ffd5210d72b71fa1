#pragma once
// The kinds of rotary position embedding: how each forms its inverse frequencies.
#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "core/model/model_spec.h"

namespace plastiscope {

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

// Every known kind. To add one: its function and one line in rope_scaling.cpp.
extern const std::array<RopeScaling, 6> kRopeScalings;

// The frequencies of an example of that many tokens; divided by rope.frequencyFactors where a GGUF file has
// them. Arithmetic is libtorch's float32, operation by operation as the published models form them: tables
// formed in float64 move vectors of deep layers by up to 3e-3 at position 10,000. InputError for an unknown
// kind.
RopeFrequencies ropeFrequencies(const RopeSpec& rope, std::int64_t tokens);

}  // namespace plastiscope
