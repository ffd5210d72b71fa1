#pragma once
// The interventions on the attention of one layer.
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <vector>

#include "core/forward/attention.h"
#include "core/forward/device.h"
#include "core/forward/interventions.h"

namespace plastiscope {

// What causalAttention was called with.
struct AttentionCall {
  const at::Tensor& query;          // [rows, query_heads, head_dim]
  std::int64_t first;               // position of its first row
  const at::Tensor &keys, &values;  // [key_heads, tokens, head_dim]
  const AttentionRule& rule;
  const std::function<void()>& betweenTiles;
};

class HeadChanges {
 public:
  // nullptr when the layer has none.
  static std::unique_ptr<const HeadChanges> ofLayer(const Interventions& all, std::int64_t layer,
                                                    const Compute& compute);

  // Both change `attended` [rows, query_heads * head_dim] in place, head by head.
  void clamp(const at::Tensor& attended, const AttentionCall& call) const;
  void silence(const at::Tensor& attended, std::int64_t headDim) const;

 private:
  struct Clamp {
    std::int64_t head = 0;
    at::Tensor axis;  // [head_dim] float32
    double slope = 0, centre = 0;
  };
  static at::Tensor withoutDrift(const at::Tensor& keys, const Clamp& clamp);

  std::vector<std::int64_t> m_silenced;
  std::vector<Clamp> m_clamped;
};

}  // namespace plastiscope
