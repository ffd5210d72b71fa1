#pragma once
// The weights of one decoder layer, read from the model's file into the compute type.
#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/forward/device.h"
#include "core/forward/mlp.h"
#include "core/model/model.h"

namespace plastiscope {

// Biases are undefined where the model has none.
struct LayerWeights {
  at::Tensor inputNorm;  // [hidden]
  at::Tensor operands;  // [(query_heads + 2 key_heads) * head_dim, hidden]: query, key, value rows; the value
                        // rows are left out of an operands-only layer
  at::Tensor operandsBias;       // as many numbers as `operands` has rows
  at::Tensor output;             // [hidden, query_heads * head_dim]
  at::Tensor outputBias;         // [hidden]
  at::Tensor postAttentionNorm;  // [hidden]
  MlpWeights mlp;
};

// Reads layer `layer`. `operandsOnly` reads what queries and keys need and nothing else. Pages of the file
// are released as soon as they are read.
LayerWeights loadLayer(const Model& model, std::int64_t layer, const Compute& compute, bool operandsOnly);

// Embedding rows of the tokens: [tokens, hidden] in the compute type. InputError for a token outside the
// vocabulary.
at::Tensor embed(const Model& model, const std::vector<std::int32_t>& tokens, const Compute& compute);

}  // namespace plastiscope
