#pragma once
// Interventions on the attention of one layer: heads with other keys, fewer keys or another output.
#include <ATen/core/Tensor.h>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/forward/attention.h"
#include "core/forward/device.h"
#include "core/forward/forward.h"

namespace plastiscope {

class HeadInterventions {
 public:
  // nullptr if the layer has none; entries of `all` may be null.
  static std::unique_ptr<const HeadInterventions> ofLayer(const std::vector<const Interventions*>& all,
                                                          std::int64_t layer, const Compute& compute);

  // Sets the parts of `attended` [rows, query_heads * head_dim] of heads with other keys, or fewer.
  void limit(const at::Tensor& attended, const AttentionCall& call) const;
  // Keys [tokens, head_dim] that a query head uses, if they are clamped; else undefined.
  at::Tensor clampedKeys(std::int64_t head, const at::Tensor& keys) const;
  // Sets the parts of `attended`, whose first row has position `first`, of ablated and replaced heads.
  void replace(const at::Tensor& attended, std::int64_t first, std::int64_t headDim) const;
  const std::vector<PathCut>& cuts() const { return m_cuts; }

 private:
  struct Attention {
    std::int64_t head = 0;
    at::Tensor axis;  // [head_dim] float32, or undefined: the keys are not clamped
    double slope = 0, centre = 0;
    std::int64_t distance = 0, hiddenKeys = 0;
    at::Tensor factors;  // [head_dim] float32, or undefined
  };
  Attention& attentionOf(std::int64_t head);
  void add(const Interventions& all, std::int64_t layer, const Compute& compute);
  static at::Tensor withoutDrift(const at::Tensor& keys, std::int64_t first, const Attention& clamp);

  std::vector<std::int64_t> m_ablated;
  std::vector<OutputReplacement> m_replaced;
  std::vector<Attention> m_attention;
  std::vector<PathCut> m_cuts;
};

}  // namespace plastiscope
