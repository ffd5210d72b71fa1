#include "core/forward/head_changes.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/tensor.h>

namespace plastiscope {

std::unique_ptr<const HeadChanges> HeadChanges::ofLayer(const Interventions& all, std::int64_t layer,
                                                        const Compute& compute) {
  auto changes = std::make_unique<HeadChanges>();
  for (const QueryHead& silenced : all.silenced) {
    if (silenced.layer == layer) changes->m_silenced.push_back(silenced.head);
  }
  for (const KeyClamp& clamp : all.clamped) {
    if (clamp.at.layer != layer) continue;
    const at::Tensor axis = at::tensor(clamp.axis, at::kDouble).to(compute.device, at::kFloat);
    changes->m_clamped.push_back({clamp.at.head, axis, clamp.slope, clamp.centre});
  }
  if (changes->m_silenced.empty() && changes->m_clamped.empty()) return nullptr;
  return changes;
}

// keys [tokens, head_dim], computed in float32 and rounded to their type.
at::Tensor HeadChanges::withoutDrift(const at::Tensor& keys, const Clamp& clamp) {
  const auto options = at::TensorOptions(keys.device()).dtype(at::kDouble);
  const at::Tensor steps = at::arange(keys.size(0), options).sub_(clamp.centre).mul_(-clamp.slope);
  return at::outer(steps.to(at::kFloat), clamp.axis).add_(keys).to(keys.scalar_type());
}

void HeadChanges::clamp(const at::Tensor& attended, const AttentionCall& call) const {
  const std::int64_t rows = call.query.size(0), heads = call.query.size(1), width = call.query.size(2);
  for (const Clamp& clamp : m_clamped) {
    const std::int64_t keyHead = clamp.head / (heads / call.keys.size(0));
    const at::Tensor keys = call.keys.select(0, keyHead).narrow(0, 0, call.first + rows);
    AttentionRule rule = call.rule;
    if (rule.sinks.defined()) rule.sinks = rule.sinks.narrow(0, clamp.head, 1);
    const at::Tensor query = call.query.narrow(1, clamp.head, 1).contiguous();
    attended.narrow(1, clamp.head * width, width)
        .copy_(causalAttention(query, call.first, withoutDrift(keys, clamp).unsqueeze(0),
                               call.values.narrow(0, keyHead, 1), rule, call.betweenTiles));
  }
}

void HeadChanges::silence(const at::Tensor& attended, std::int64_t headDim) const {
  for (const std::int64_t head : m_silenced) attended.narrow(1, head * headDim, headDim).zero_();
}

}  // namespace plastiscope
