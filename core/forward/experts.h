#pragma once
// The feed-forward part made of experts, of which each token passes a few (Shazeer et al. 2017).
#include <ATen/core/Tensor.h>

#include "core/forward/mlp.h"
#include "core/model/model_spec.h"

namespace plastiscope {

struct ExpertWeights {
  at::Tensor router, routerBias;  // [experts, hidden], [experts]
  at::Tensor correction;          // [experts] float32, or undefined
  at::Tensor gateUp, gateUpBias;  // [experts, 2 * inner, hidden], [experts, 2 * inner]
  at::Tensor down, downBias;      // [experts, hidden, inner], [experts, hidden]
  MlpWeights shared;              // for all tokens; shared.down undefined when there is none
  at::Tensor sharedGate;          // [1, hidden], or undefined
};

// x [rows, hidden] -> [rows, hidden].
at::Tensor throughExperts(const at::Tensor& x, const ExpertWeights& weights, const ExpertSpec& spec,
                          Activation activation);

}  // namespace plastiscope
