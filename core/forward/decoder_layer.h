#pragma once
// A decoder layer, built from the model's spec and the tensors of the layer.
#include <memory>
#include <span>
#include <vector>

#include "core/forward/device.h"
#include "core/forward/forward.h"
#include "core/forward/layer_weights.h"
#include "core/forward/mixer.h"

namespace plastiscope {

class DecoderLayer {
 public:
  // `weights`: of layer `layer`. `interventions`: may be nullptr.
  DecoderLayer(const ModelSpec& spec, std::int64_t layer, const Compute& compute, LayerWeights weights,
               const Interventions* interventions);

  // Runs a chunk of a text after the chunks before it; only the hidden states of the chunk's outputs change.
  // The pieces are parts of one chunk; the first computes the keys for all of them. `checkpoint` is called
  // between steps and may throw to stop.
  void run(SequenceState& text, KeyValues& memory, std::span<const ChunkRows> pieces, OperandRows& wanted,
           const std::function<void()>& checkpoint);
  // Like Mixer::carried, for all mixers.
  NamedTensors carried() const;

 private:
  at::Tensor feedForward(const at::Tensor& x) const;
  at::Tensor denseAndExperts(const at::Tensor& rows, const at::Tensor& normed) const;
  void finish(const at::Tensor& rows, const std::vector<at::Tensor>& mixed) const;
  void finish(SequenceState& text, const ReadRows& outputs, const std::vector<at::Tensor>& mixed) const;

  const ModelSpec& m_spec;
  const LayerSpec& m_layer;
  Compute m_compute;
  LayerWeights m_weights;
  std::vector<std::unique_ptr<Mixer>> m_mixers;  // run in parallel; results are added
};

}  // namespace plastiscope
