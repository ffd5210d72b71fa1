#pragma once
// The weights of one decoder layer, read from the model's file into the compute type.
#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/forward/device.h"
#include "core/forward/experts.h"
#include "core/forward/mlp.h"
#include "core/forward/norm.h"
#include "core/forward/recurrent_weights.h"
#include "core/model/model.h"

namespace plastiscope {

// What is undefined is not in the model.
struct AttentionWeights {
  at::Tensor operands;  // [(query_heads (twice with a gate) + 2 key_heads) * head_dim, hidden]: query (head
                        // by head beside its gate), key, value rows; no value rows in an operands-only layer
  at::Tensor operandsBias;  // as many numbers as `operands` has rows
  at::Tensor output;        // [hidden, query_heads * head_dim]
  at::Tensor outputBias;    // [hidden]
  at::Tensor sinks;         // [query_heads] float32
  NormWeights queryNorm, keyNorm;
  bool gated = false;
};

struct LayerWeights {
  NormWeights inputNorm, attentionOutputNorm, mlpNorm, mlpOutputNorm;
  AttentionWeights attention;    // where there is attention
  RecurrenceWeights recurrence;  // where there is a recurrence
  MlpWeights mlp;                // of a dense layer
  ExpertWeights experts;         // of a sparse one
};

// Reads layer `layer`. `operandsOnly` reads what queries and keys need and nothing else. Pages of the file
// are released as soon as they are read.
LayerWeights loadLayer(const Model& model, std::int64_t layer, const Compute& compute, bool operandsOnly);

// Embedding rows of the tokens: [tokens, hidden] in the compute type. InputError for a token outside the
// vocabulary.
at::Tensor embed(const Model& model, const std::vector<std::int32_t>& tokens, const Compute& compute);

}  // namespace plastiscope
