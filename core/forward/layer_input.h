#pragma once
// What a layer gets of each token beside the stream: a vector of the token's own and one made of its
// embedding (per-layer embeddings of Gemma 4). Made anew for every chunk, so that no vectors of all layers
// are kept.
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
  // Asks `reader` for the layer's own part.
  LayerInput(const Model& model, std::int64_t layer, const Compute& compute, LayerReader& reader);

  // To rows [tokens, hidden] of the stream of those tokens is added what their vectors make of it.
  void addTo(const at::Tensor& rows, const std::vector<std::int32_t>& tokens) const;
  // Pages of the file that were read for a chunk are not needed soon.
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
