#pragma once
// The norms of a decoder: root mean square (Zhang and Sennrich 2019) or, with the mean taken off, LayerNorm
// (Ba et al. 2016).
#include <ATen/core/Tensor.h>

#include "core/model/model_spec.h"

namespace plastiscope {

// Undefined weight: there is no such norm.
struct NormWeights {
  at::Tensor weight, bias;
};

// Over the last dimension of x [..., size], in float32. weight and bias [size], or [heads, size] for x [rows,
// heads, size]; an undefined weight counts as ones. The result has the type of x; the weights multiply before
// the rounding to it when spec.wide, else after.
at::Tensor normalised(const at::Tensor& x, const NormWeights& weights, const NormSpec& spec);

// x itself when the model has no such norm.
at::Tensor normalisedIfAny(const at::Tensor& x, const NormWeights& weights, const NormSpec& spec);

}  // namespace plastiscope
