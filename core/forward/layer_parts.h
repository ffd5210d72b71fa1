#pragma once
// The parts of a decoder layer beside its mixer: norms, dense feed-forward part, experts.
#include <ATen/core/Tensor.h>
#include <vector>

#include "core/forward/linear.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// ---- The norms of a decoder: root mean square (Zhang and Sennrich 2019) or, with the mean taken off,
// LayerNorm (Ba et al. 2016).

// Undefined weight: there is no such norm.
struct NormWeights {
  at::Tensor weight, bias;
};

// Over the last dimension of x [..., size], in float32. weight and bias [size], or [heads, size] for x [rows,
// heads, size]; an undefined weight counts as ones. The result has the type of x; the weights multiply before
// the rounding to it when spec.computeInFloat32, else after.
at::Tensor normalised(const at::Tensor& x, const NormWeights& weights, const NormSpec& spec);

// rows += scale * added, in place and rounded; gives the norm of the sum, or `rows` when the model has none.
at::Tensor addedAndNormed(const at::Tensor& rows, const at::Tensor& added, double scale,
                          const NormWeights& weights, const NormSpec& spec);

// x itself when the model has no such norm.
at::Tensor normalisedIfAny(const at::Tensor& x, const NormWeights& weights, const NormSpec& spec);

// ---- The dense feed-forward part.

// With a gate (Shazeer 2020): down(act(gate x) * up x). Without: down(act(up x)).
struct MlpWeights {
  Linear gateUp;     // [2 * intermediate, hidden]: gate rows, then up rows; undefined without a gate
  Linear up;         // [intermediate, hidden], without a gate only
  Linear down;       // [hidden, intermediate]
  at::Tensor xielu;  // [4] float32 on the CPU: alpha positive and negative, beta, eps as stored
};

// x [rows, hidden] -> [rows, hidden].
at::Tensor mlp(const at::Tensor& x, const MlpWeights& weights, Activation activation);

// gate and up [rows, intermediate], neither kept: what the down projection gets.
at::Tensor gated(at::Tensor gate, const at::Tensor& up, Activation activation);

// ---- The feed-forward part made of experts, of which each token passes a few (Shazeer et al. 2017).

struct ExpertWeights {
  at::Tensor router, routerBias;        // [experts, hidden], [experts]
  at::Tensor correction;                // [experts] float32, or undefined
  NormWeights inputNorm, outputNorm;    // beside a dense part
  at::Tensor routerScale, expertScale;  // [hidden]; [experts] float32
  std::vector<Linear> gateUp, down;     // of each expert: [2 * inner, hidden], [hidden, inner]
  MlpWeights shared;                    // for all tokens; shared.down undefined when there is none
  at::Tensor sharedGate;                // [1, hidden], or undefined
};

// x [rows, hidden] -> [rows, hidden]; the router reads `routed` [rows, hidden].
at::Tensor throughExperts(const at::Tensor& x, const at::Tensor& routed, const ExpertWeights& weights,
                          const ExpertSpec& spec, Activation activation);

}  // namespace plastiscope
