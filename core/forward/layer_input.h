#pragma once
// Per-layer embeddings (Gemma 4): each layer gets a vector of each token, combined with a projection of the
// token's embedding. Recomputed per chunk, so that only one layer's vectors are in memory.
#include <ATen/core/Tensor.h>
#include <cstdint>
#include <vector>

#include "core/forward/device.h"
#include "core/forward/layer_parts.h"
#include "core/forward/layer_reader.h"
#include "core/forward/linear.h"
#include "core/model/model.h"

namespace plastiscope {

class LayerInput {
 public:
  // Requests the tensors of the layer from `reader`.
  LayerInput(const Model& model, std::int64_t layer, const Compute& compute, LayerReader& reader);

  // Adds the projected input of `tokens` to their rows [tokens, hidden] of the residual stream.
  void addTo(const at::Tensor& rows, const std::vector<std::int32_t>& tokens) const;
  // Releases file pages read for a chunk.
  void dropPageCache() const;

 private:
  at::Tensor vectorsOf(const std::vector<std::int32_t>& tokens) const;  // [tokens, layer_input]

  const Model& m_model;
  std::int64_t m_layer;
  Compute m_compute;
  at::Tensor m_projection;  // [layer_input, hidden]
  NormWeights m_projectionNorm;
  at::Tensor m_gate, m_output;  // [layer_input, hidden], [hidden, layer_input]
  NormWeights m_outputNorm;
};

}  // namespace plastiscope
