#pragma once
// Self-attention of one layer, with interventions.
#include <ATen/core/Tensor.h>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/forward/attention.h"
#include "core/forward/device.h"
#include "core/forward/forward.h"
#include "core/forward/layer_weights.h"
#include "core/forward/mixer.h"
#include "core/forward/rope.h"

namespace plastiscope {

// ---- Interventions on the attention of one layer.

class HeadInterventions {
 public:
  // nullptr if the layer has none.
  static std::unique_ptr<const HeadInterventions> ofLayer(const Interventions& all, std::int64_t layer,
                                                          const Compute& compute);

  // Both modify `attended` [rows, query_heads * head_dim] in place, per head.
  void clamp(const at::Tensor& attended, const AttentionCall& call) const;
  void ablate(const at::Tensor& attended, std::int64_t headDim) const;

 private:
  struct Clamp {
    std::int64_t head = 0;
    at::Tensor axis;  // [head_dim] float32
    double slope = 0, centre = 0;
  };
  static at::Tensor withoutDrift(const at::Tensor& keys, const Clamp& clamp);

  std::vector<std::int64_t> m_ablated;
  std::vector<Clamp> m_clamped;
};

// ---- Attention of one layer: projections, norms, RoPE, and attention over earlier tokens; captures queries
// and keys.

class SelfAttention : public Mixer {
 public:
  SelfAttention(const ModelSpec& spec, const LayerSpec& layer, const Compute& compute,
                AttentionWeights weights, LayerUse use);
  // Interventions on its heads; may be nullptr.
  void change(std::unique_ptr<const HeadInterventions> changes) { m_interventions = std::move(changes); }
  at::Tensor run(const MixerInput& input) override;
  at::Tensor project(const at::Tensor& mixed) const override;

 private:
  // Queries, keys and values of one chunk: [rows, heads, head_dim]; copies before RoPE and the output gate
  // only if needed.
  struct Operands {
    at::Tensor query, key, value, queryBefore, keyBefore, gate;
  };
  Operands allocate(const MixerInput& input) const;
  // Rows of the chunk that one product computes queries, keys or both for, and their index in the operands.
  struct Block {
    const ReadRows& rows;
    std::int64_t at;
    bool queries, keys;
  };
  void fill(const MixerInput& input, const Block& block, const Operands& operands) const;
  at::Tensor attend(const MixerInput& input, const at::Tensor& query) const;
  // Queries or keys of a block before attention.
  struct HeadRows {
    at::Tensor heads;  // [count, heads, head_dim], as projected
    NormWeights norm;
    const RopeRows* rotation;  // nullptr: no RoPE in the layer
    at::Tensor factors;        // [count, 1, 1] float32 or undefined
    at::Tensor before, out;    // before RoPE (undefined if not needed) and after all steps
  };
  void finishHeads(HeadRows rows) const;
  void finishInOnePass(const HeadRows& rows) const;
  bool normsWholeRows(const NormWeights& norm) const;
  at::Tensor headsNormed(const at::Tensor& heads, const NormWeights& norm) const;

  const ModelSpec& m_spec;
  const LayerSpec& m_layer;
  Compute m_compute;
  AttentionWeights m_weights;
  LayerUse m_use;
  std::unique_ptr<const HeadInterventions> m_interventions;
};

}  // namespace plastiscope
