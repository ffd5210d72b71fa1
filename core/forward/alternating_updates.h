#pragma once
// Alternating updates (ModelSpec::altUp; Baykal et al. 2023), as in Gemma 3n. Between layers the streams of a
// token are one row: [rows, streams * hidden].
#include <ATen/core/Tensor.h>

#include "core/forward/device.h"
#include "core/forward/layer_parts.h"
#include "core/forward/layer_reader.h"
#include "core/model/model.h"

namespace plastiscope {

class AltUp {
 public:
  // Requests the tensors of the layer from `reader`; for predictions only unless `corrects`.
  AltUp(const ModelSpec& spec, LayerReader& reader, bool corrects);

  // Prediction of all streams of rows [rows, streams * hidden]: [rows, streams, hidden].
  at::Tensor predicted(const at::Tensor& rows) const;
  // The active stream, on which the layer runs: [rows, hidden].
  at::Tensor active(const at::Tensor& streams) const { return streams.select(1, m_spec.altUp.active); }
  // The predictions, corrected by the difference between the layer's output [rows, hidden] and the active
  // one.
  at::Tensor corrected(const at::Tensor& predictions, const at::Tensor& output) const;
  // The active stream as the layer's input of each token reads it.
  at::Tensor scaledActive(const at::Tensor& streams) const;

 private:
  at::Tensor routed(const at::Tensor& stream) const;

  const ModelSpec& m_spec;
  NormWeights m_routerNorm;
  at::Tensor m_router, m_prediction, m_correction;  // as TensorRole describes them
  at::Tensor m_outputScale;                         // [hidden], or undefined
};

// Matrices between hidden states and streams, before the first layer or after the last.
class StreamProjections {
 public:
  StreamProjections(const Model& model, TensorRole role, const Compute& compute);

  // Streams of embeddings [rows, hidden]: the embeddings, then their projections, scaled to the same root
  // mean square: [rows, streams * hidden].
  at::Tensor spread(const at::Tensor& embeddings) const;
  // Mean of the first stream and the projections of the others, scaled likewise: [rows, hidden].
  at::Tensor merged(const at::Tensor& rows) const;

 private:
  at::Tensor m_matrices;  // [streams - 1, hidden, hidden]
};

}  // namespace plastiscope
