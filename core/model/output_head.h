#pragma once
// What makes scores of the next token out of the last layer's hidden states: the last norm and a matrix of
// the vocabulary. A capture needs neither unless it is asked for losses.
#include <optional>

#include "core/model/model.h"

namespace plastiscope {

struct OutputHead {
  BoundTensor norm;                       // [hidden]
  std::optional<BoundTensor> normBias;    // [hidden]
  BoundTensor matrix;                     // [vocabulary, hidden]; the embedding where both are one
  std::optional<BoundTensor> matrixBias;  // [vocabulary]
};

// The matrix among the weights, whether it is used or not; nullptr when there is none.
const TensorInfo* outputMatrixOf(const Model& model);

// InputError when the file lacks one of them, or they have other shapes (weights of a bare model).
OutputHead outputHeadOf(const Model& model);

}  // namespace plastiscope
