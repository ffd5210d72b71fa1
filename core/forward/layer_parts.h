#pragma once
// Parts of a decoder layer besides the mixer: norms, dense feed-forward part, experts.
#include <ATen/core/Tensor.h>
#include <optional>
#include <vector>

#include "core/forward/linear.h"
#include "core/forward/row_steps.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// ---- Norms: RMSNorm (Zhang and Sennrich 2019) or LayerNorm (Ba et al. 2016).

// Undefined weight: the model has no such norm.
struct NormWeights {
  at::Tensor weight, bias;
};

// Norm over the last dimension of x [..., size], in float32; the result has the type of x. weight and bias:
// [size], or [heads, size] for x [rows, heads, size]; undefined weight: ones. Weights multiply before
// rounding if spec.computeInFloat32, else after.
at::Tensor normalised(const at::Tensor& x, const NormWeights& weights, const NormSpec& spec);

// rows += scale * added, rounded, in place; returns the norm of the sum, or `rows` if there is no norm.
at::Tensor addedAndNormed(const at::Tensor& rows, const at::Tensor& added, double scale,
                          const NormWeights& weights, const NormSpec& spec);

// Returns x if there is no such norm.
at::Tensor normalisedIfAny(const at::Tensor& x, const NormWeights& weights, const NormSpec& spec);

// ---- Dense feed-forward part.

// Gated (Shazeer 2020): down(act(gate x) * up x); ungated: down(act(up x)).
struct MlpWeights {
  Linear gateUp;     // [2 * intermediate, hidden]: gate rows, then up rows; undefined without a gate
  Linear up;         // [intermediate, hidden], without a gate only
  Linear down;       // [hidden, intermediate]
  at::Tensor xielu;  // [4] float32 on the CPU: alpha positive and negative, beta, eps as stored
  // Gaussian top-k (You et al. 2025): gate x becomes its excess over the mean of the row and this many of its
  // standard deviations, at least 0.
  std::optional<double> gateCut;
};

// x [rows, hidden] -> [rows, hidden].
at::Tensor mlp(const at::Tensor& x, const MlpWeights& weights, Activation activation);

// act(gate) * up for gate and up [rows, intermediate], which may be overwritten.
at::Tensor gated(at::Tensor gate, const at::Tensor& up, Activation activation);

// ---- Mixture of experts (Shazeer et al. 2017).

struct ExpertWeights {
  at::Tensor router, routerBias;        // [experts, hidden], [experts]
  at::Tensor correction;                // [experts] float32, or undefined
  NormWeights inputNorm, outputNorm;    // used beside a dense part
  at::Tensor routerScale, expertScale;  // [hidden]; [experts] float32
  std::vector<Linear> gateUp, down;     // per expert: [2 * inner, hidden], [hidden, inner]
  MlpWeights shared;                    // shared expert; shared.down undefined if there is none
  at::Tensor sharedGate;                // [1, hidden], or undefined
};

// x [rows, hidden] -> [rows, hidden]; `routed` [rows, hidden] is the router's input.
at::Tensor throughExperts(const at::Tensor& x, const at::Tensor& routed, const ExpertWeights& weights,
                          const ExpertSpec& spec, Activation activation);

// ---- Steps of row_steps.h on tensors.

// Whether row steps apply: [rows, size] or [rows, heads, size], float32 or bfloat16, on a CPU, contiguous
// vectors.
bool hasRowSteps(const at::Tensor& x);
StridedVectors vectorsOf(const at::Tensor& x);
VectorCount countOf(const at::Tensor& x);

// Weights of a norm in float32, for vectors [rows, heads, size] or [rows, size].
class VectorNormOf {
 public:
  VectorNormOf(const NormWeights& weights, const NormSpec& spec, std::int64_t size);
  const VectorNorm& norm() const { return m_norm; }

 private:
  at::Tensor m_weight, m_bias;
  VectorNorm m_norm;
};

}  // namespace plastiscope
