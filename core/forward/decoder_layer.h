#pragma once
// One decoder layer: built from the model's spec and the tensors that the layer has.
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
  // `weights`: of layer `layer`. `interventions`: nullptr = none.
  DecoderLayer(const ModelSpec& spec, std::int64_t layer, const Compute& compute, LayerWeights weights,
               const Interventions* interventions);

  // Runs a chunk of a text, whose earlier positions were run before; hidden states that are not among the
  // chunk's outputs stay as they are. The pieces are rows of one chunk, and the first of them forms the keys
  // that all attend to. `checkpoint` is called between the steps and may throw to stop.
  void run(SequenceState& text, KeyValues& memory, std::span<const ChunkRows> pieces, OperandRows& wanted,
           const std::function<void()>& checkpoint);
  // As in Mixer, of all mixers.
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
  std::vector<std::unique_ptr<Mixer>> m_mixers;  // side by side; their results are added
};

}  // namespace plastiscope
