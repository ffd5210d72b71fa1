#include "core/forward/layer_input.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <cmath>
#include <span>

#include "core/forward/layer_reader.h"
#include "core/forward/layer_weights.h"

namespace plastiscope {

LayerInput::LayerInput(const Model& model, std::int64_t layer, const Compute& compute, LayerReader& reader)
    : m_model(model),
      m_layer(layer),
      m_compute(compute),
      m_gate(reader.tensor(TensorRole::LayerInputGate)),
      m_output(reader.tensor(TensorRole::LayerInputOutput)),
      m_outputNorm(reader.norm(TensorRole::LayerInputNorm)) {
  const std::int64_t width = model.spec.layerInput;
  const at::Tensor projection = at::empty({width, model.spec.hidden}, at::kFloat);
  readFloat32Rows(*model.weights, model.besideLayers.at(TensorRole::LayerInputProjection).info, layer * width,
                  width, floatsOf(projection));
  m_projection = projection.to(compute.device, compute.dtype);
  const at::Tensor norm = at::empty({width}, at::kFloat);
  model.read(model.besideLayers.at(TensorRole::LayerInputProjectionNorm), floatsOf(norm));
  m_projectionNorm.weight =
      norm.to(compute.device, model.spec.norm.computeInFloat32 ? at::kFloat : compute.dtype);
}

// Scale factors are rounded to the compute type, as in the reference implementations.
at::Tensor LayerInput::vectorsOf(const std::vector<std::int32_t>& tokens) const {
  const ModelSpec& spec = m_model.spec;
  const std::int64_t width = spec.layerInput, count = static_cast<std::int64_t>(tokens.size());
  const TensorInfo& embedding = m_model.besideLayers.at(TensorRole::LayerInputEmbedding).info;
  const at::Tensor wide = at::empty({count, width}, at::kFloat);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t first = (tokens[static_cast<std::size_t>(i)] * spec.layerCount + m_layer) * width;
    m_model.weights->readValues(embedding, first, floatsOf(wide.select(0, i)));
  }
  const at::Tensor scale = at::empty({}, m_compute.dtype).fill_(std::sqrt(static_cast<double>(width)));
  const at::Tensor own = wide.to(m_compute.dtype).mul_(scale).to(m_compute.device);
  const at::Tensor projected = at::linear(embeddingRows(m_model, tokens, m_compute), m_projection)
                                   .mul_(1 / std::sqrt(static_cast<double>(spec.hidden)));
  return normalised(projected, m_projectionNorm, spec.norm).add_(own).mul_(1 / std::sqrt(2.0));
}

void LayerInput::addTo(const at::Tensor& rows, const std::vector<std::int32_t>& tokens) const {
  const at::Tensor inner = gated(at::linear(rows, m_gate), vectorsOf(tokens), m_model.spec.activation);
  rows.add_(normalised(at::linear(inner, m_output), m_outputNorm, m_model.spec.norm));
}

void LayerInput::dropPageCache() const {
  m_model.weights->dropPageCache(m_model.embedding.info);
  m_model.weights->dropPageCache(m_model.besideLayers.at(TensorRole::LayerInputEmbedding).info);
}

}  // namespace plastiscope
