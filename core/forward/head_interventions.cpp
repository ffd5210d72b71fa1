#include "core/forward/head_interventions.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/tensor.h>

#include <algorithm>

#include "core/forward/decoder_layer.h"

namespace plastiscope {

std::unique_ptr<const HeadInterventions> HeadInterventions::ofLayer(
    const std::vector<const Interventions*>& all, std::int64_t layer, const Compute& compute) {
  auto changes = std::make_unique<HeadInterventions>();
  bool any = false;
  for (const Interventions* some : all) {
    if (some == nullptr || !some->changes(layer)) continue;
    changes->add(*some, layer, compute);
    any = true;
  }
  if (!any) return nullptr;
  return changes;
}

void HeadInterventions::limit(const at::Tensor& attended, const AttentionCall& call) const {
  const std::int64_t rows = call.query.size(0), heads = call.query.size(1), width = call.query.size(2);
  for (const Attention& changed : m_attention) {
    const std::int64_t keyHead = changed.head / (heads / call.keys.size(0)), hidden = changed.hiddenKeys;
    const std::int64_t first = std::max(call.first, hidden), count = call.first + rows - first;
    if (count <= 0) continue;
    AttentionRule rule = call.rule;
    if (rule.sinks.defined()) rule.sinks = rule.sinks.narrow(0, changed.head, 1);
    if (changed.distance > 0)
      rule.window = rule.window > 0 ? std::min(rule.window, changed.distance) : changed.distance;
    at::Tensor query = call.query.narrow(1, changed.head, 1).narrow(0, rows - count, count).contiguous();
    if (changed.factors.defined()) query = query.mul(changed.factors.to(query.scalar_type()));
    const auto seen = [&](const at::Tensor& all) {
      return all.select(0, keyHead).narrow(0, hidden, call.first + rows - hidden);
    };
    const at::Tensor keys =
        changed.axis.defined() ? withoutDrift(seen(call.keys), hidden, changed) : seen(call.keys);
    attended.narrow(0, rows - count, count)
        .narrow(1, changed.head * width, width)
        .copy_(causalAttention({query, first - hidden, keys.unsqueeze(0), seen(call.values).unsqueeze(0),
                                rule, call.betweenTiles}));
  }
}

at::Tensor HeadInterventions::clampedKeys(std::int64_t head, const at::Tensor& keys) const {
  const auto changed = std::ranges::find(m_attention, head, &Attention::head);
  return changed == m_attention.end() || !changed->axis.defined() ? at::Tensor()
                                                                  : withoutDrift(keys, 0, *changed);
}

void HeadInterventions::replace(const at::Tensor& attended, std::int64_t first, std::int64_t headDim) const {
  const auto part = [&](std::int64_t head) { return attended.narrow(1, head * headDim, headDim); };
  for (const std::int64_t head : m_ablated) part(head).zero_();
  for (const OutputReplacement& replaced : m_replaced)
    setKnown(*replaced.values, first, part(replaced.at.head));
}

HeadInterventions::Attention& HeadInterventions::attentionOf(std::int64_t head) {
  const auto found = std::ranges::find(m_attention, head, &Attention::head);
  if (found != m_attention.end()) return *found;
  m_attention.push_back({});
  m_attention.back().head = head;
  return m_attention.back();
}

void HeadInterventions::add(const Interventions& all, std::int64_t layer, const Compute& compute) {
  for (const QueryHead& ablated : all.ablated) {
    if (ablated.layer == layer) m_ablated.push_back(ablated.head);
  }
  for (const OutputReplacement& replaced : all.replaced) {
    if (replaced.at.layer == layer) m_replaced.push_back(replaced);
  }
  for (const KeyClamp& clamp : all.clamped) {
    if (clamp.at.layer != layer) continue;
    Attention& changed = attentionOf(clamp.at.head);
    changed.axis = at::tensor(clamp.axis, at::kDouble).to(compute.device, at::kFloat);
    changed.slope = clamp.slope;
    changed.centre = clamp.centre;
  }
  for (const AttentionLimit& limit : all.limited) {
    if (limit.at.layer != layer) continue;
    Attention& changed = attentionOf(limit.at.head);
    changed.distance = limit.distance;
    changed.hiddenKeys = limit.hiddenKeys;
    if (!limit.factors.empty()) changed.factors = at::tensor(limit.factors, at::kFloat).to(compute.device);
  }
  for (const PathCut& cut : all.cuts) {
    if (cut.layer == layer) m_cuts.push_back(cut);
  }
}

// keys [tokens, head_dim] from position `first` on; computed in float32 and rounded to their type.
at::Tensor HeadInterventions::withoutDrift(const at::Tensor& keys, std::int64_t first,
                                           const Attention& clamp) {
  const auto options = at::TensorOptions(keys.device()).dtype(at::kDouble);
  const double centre = clamp.centre - static_cast<double>(first);
  const at::Tensor steps = at::arange(keys.size(0), options).sub_(centre).mul_(-clamp.slope);
  return at::outer(steps.to(at::kFloat), clamp.axis).add_(keys).to(keys.scalar_type());
}

}  // namespace plastiscope
