#pragma once
// Output head: final norm and vocabulary matrix. Needed only for captures with losses.
#include <optional>

#include "core/model/model.h"

namespace plastiscope {

struct OutputHead {
  BoundTensor norm;                       // [hidden]
  std::optional<BoundTensor> normBias;    // [hidden]
  BoundTensor matrix;                     // [vocabulary, hidden]; the embedding if tied
  std::optional<BoundTensor> matrixBias;  // [vocabulary]
};

// The output matrix in the weights, used or not; nullptr when there is none.
const TensorInfo* outputMatrixOf(const Model& model);

// InputError when a tensor is missing or has another shape (weights of a base model without head).
OutputHead outputHeadOf(const Model& model);

}  // namespace plastiscope
