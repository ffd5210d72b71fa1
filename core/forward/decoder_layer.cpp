#include "core/forward/decoder_layer.h"

#include <cmath>

#include "core/forward/layer_parts.h"
#include "core/forward/recurrent_mixer.h"
#include "core/forward/row_blocks.h"
#include "core/forward/self_attention.h"

namespace plastiscope {

DecoderLayer::DecoderLayer(const ModelSpec& spec, std::int64_t layer, const Compute& compute,
                           LayerWeights weights, const Interventions* interventions)
    : m_spec(spec),
      m_layer(spec.layers.at(static_cast<std::size_t>(layer))),
      m_compute(compute),
      m_weights(std::move(weights)) {
  const LayerUse use = m_weights.use;
  if (m_layer.hasVectors()) {
    auto attention =
        std::make_unique<SelfAttention>(m_spec, m_layer, compute, std::move(m_weights.attention), use);
    if (interventions != nullptr)
      attention->change(HeadInterventions::ofLayer(*interventions, layer, compute));
    m_mixers.push_back(std::move(attention));
  }
  if (m_layer.recurrence && use != LayerUse::Operands) {
    m_mixers.push_back(std::make_unique<RecurrentMixer>(m_spec.recurrence, m_spec.norm.eps, compute,
                                                        std::move(m_weights.recurrence)));
  }
}

at::Tensor DecoderLayer::feedForward(const at::Tensor& x) const {
  if (m_layer.experts) return throughExperts(x, x, m_weights.experts, m_spec.experts, m_spec.activation);
  return mlp(x, m_weights.mlp, m_spec.activation);
}

// Dense part on `normed` and experts on `rows`, each with its own norms.
at::Tensor DecoderLayer::denseAndExperts(const at::Tensor& rows, const at::Tensor& normed) const {
  const ExpertWeights& experts = m_weights.experts;
  const at::Tensor dense = mlp(normed, m_weights.mlp, m_spec.activation);
  const at::Tensor routed = normalised(rows, {}, m_spec.norm)
                                .mul_(experts.routerScale)
                                .mul_(1 / std::sqrt(static_cast<double>(m_spec.hidden)));
  const at::Tensor sparse = throughExperts(normalised(rows, experts.inputNorm, m_spec.norm), routed, experts,
                                           m_spec.experts, m_spec.activation);
  return normalised(dense, m_weights.denseOutputNorm, m_spec.norm)
      .add_(normalised(sparse, experts.outputNorm, m_spec.norm));
}

// Adds the outputs of mixers and feed-forward part to rows of the hidden states, in place. Missing norms are
// skipped.
void DecoderLayer::finish(const at::Tensor& rows, const std::vector<at::Tensor>& mixed) const {
  at::Tensor added;
  for (std::size_t i = 0; i < m_mixers.size(); ++i) {
    const at::Tensor one = m_mixers[i]->project(mixed[i]);
    added = added.defined() ? added.add_(one) : one;
  }
  added = normalisedIfAny(added, m_weights.attentionOutputNorm, m_spec.norm);
  if (m_spec.parallelBlock) {
    const at::Tensor inner = feedForward(normalisedIfAny(rows, m_weights.inputNorm, m_spec.norm));
    rows.add_(added, m_spec.residualScale).add_(inner, m_spec.residualScale);
    return;
  }
  const at::Tensor fed = addedAndNormed(rows, added, m_spec.residualScale, m_weights.mlpNorm, m_spec.norm);
  const at::Tensor inner =
      m_layer.experts && m_spec.experts.besideDense ? denseAndExperts(rows, fed) : feedForward(fed);
  addedAndNormed(rows, normalisedIfAny(inner, m_weights.mlpOutputNorm, m_spec.norm), m_spec.residualScale, {},
                 m_spec.norm);
}

namespace {

std::vector<std::int32_t> tokensOf(const SequenceState& text, const ReadRows& rows) {
  std::vector<std::int32_t> tokens;
  for (std::int64_t i = 0; i < rows.count(); ++i)
    tokens.push_back(text.tokens->at(static_cast<std::size_t>(rows[i])));
  return tokens;
}

}  // namespace

void DecoderLayer::finish(SequenceState& text, const ReadRows& outputs,
                          const std::vector<at::Tensor>& mixed) const {
  forRowBlocks(m_compute.device, outputs, [&](std::int64_t at, const ReadRows& block) {
    const at::Tensor rows = block.rowsOf(text.hidden);
    std::vector<at::Tensor> some;
    for (const at::Tensor& all : mixed) some.push_back(all.narrow(0, at, block.count()));
    finish(rows, some);
    if (m_weights.input) m_weights.input->addTo(rows, tokensOf(text, block));
    if (m_weights.scale.defined()) rows.mul_(m_weights.scale);
    if (!block.isRun()) text.hidden.index_copy_(0, block.positions(m_compute.device), rows);
  });
}

void DecoderLayer::run(SequenceState& text, KeyValues& memory, std::span<const ChunkRows> pieces,
                       OperandRows& wanted, const std::function<void()>& checkpoint) {
  const auto normed = [&](const ReadRows& rows) {
    return normalisedIfAny(rows.rowsOf(text.hidden), m_weights.inputNorm, m_spec.norm);
  };
  std::vector<std::vector<at::Tensor>> mixed(pieces.size());  // of all pieces, before hidden states change
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const MixerInput input{text, memory, pieces[i], normed, wanted, checkpoint};
    for (const auto& mixer : m_mixers) mixed[i].push_back(mixer->run(input));
  }
  if (m_weights.use == LayerUse::Operands) return;
  checkpoint();
  for (std::size_t i = 0; i < pieces.size(); ++i) finish(text, pieces[i].outputs, mixed[i]);
  if (m_weights.input) m_weights.input->dropPageCache();
  for (const auto& mixer : m_mixers) mixer->chunkDone();
}

NamedTensors DecoderLayer::carried() const {
  NamedTensors all;
  for (const auto& mixer : m_mixers) {
    for (auto& each : mixer->carried()) all.push_back(std::move(each));
  }
  return all;
}

}  // namespace plastiscope
