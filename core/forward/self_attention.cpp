#include "core/forward/self_attention.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tensor.h>
#include <utility>

#include "core/forward/attention.h"
#include "core/forward/row_blocks.h"
#include "core/forward/tensor_steps.h"

namespace plastiscope {

std::unique_ptr<const HeadInterventions> HeadInterventions::ofLayer(const Interventions& all,
                                                                    std::int64_t layer,
                                                                    const Compute& compute) {
  auto changes = std::make_unique<HeadInterventions>();
  for (const QueryHead& ablated : all.ablated) {
    if (ablated.layer == layer) changes->m_ablated.push_back(ablated.head);
  }
  for (const KeyClamp& clamp : all.clamped) {
    if (clamp.at.layer != layer) continue;
    const at::Tensor axis = at::tensor(clamp.axis, at::kDouble).to(compute.device, at::kFloat);
    changes->m_clamped.push_back({clamp.at.head, axis, clamp.slope, clamp.centre});
  }
  if (changes->m_ablated.empty() && changes->m_clamped.empty()) return nullptr;
  return changes;
}

// keys [tokens, head_dim], computed in float32 and rounded to their type.
at::Tensor HeadInterventions::withoutDrift(const at::Tensor& keys, const Clamp& clamp) {
  const auto options = at::TensorOptions(keys.device()).dtype(at::kDouble);
  const at::Tensor steps = at::arange(keys.size(0), options).sub_(clamp.centre).mul_(-clamp.slope);
  return at::outer(steps.to(at::kFloat), clamp.axis).add_(keys).to(keys.scalar_type());
}

void HeadInterventions::clamp(const at::Tensor& attended, const AttentionCall& call) const {
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

void HeadInterventions::ablate(const at::Tensor& attended, std::int64_t headDim) const {
  for (const std::int64_t head : m_ablated) attended.narrow(1, head * headDim, headDim).zero_();
}

namespace {

// Factors of the queries at the positions first .. : [rows, 1, 1] float32.
at::Tensor temperatures(const QueryTemperature& rule, std::int64_t first, std::int64_t rows,
                        const c10::Device& device) {
  const auto options = at::TensorOptions(device).dtype(at::kLong);
  const at::Tensor positions =
      at::arange(first + rule.offset, first + rule.offset + rows, options).to(at::kFloat);
  return positions.div(rule.length).floor_().add_(1).log_().mul_(rule.beta).add_(1).view({rows, 1, 1});
}

}  // namespace

SelfAttention::SelfAttention(const ModelSpec& spec, const LayerSpec& layer, const Compute& compute,
                             AttentionWeights weights, bool operandsOnly)
    : m_spec(spec),
      m_layer(layer),
      m_compute(compute),
      m_weights(std::move(weights)),
      m_operandsOnly(operandsOnly) {}

SelfAttention::Operands SelfAttention::allocate(const MixerInput& input) const {
  const auto options = at::TensorOptions(m_compute.device).dtype(m_compute.dtype);
  const auto allocated = [&](std::int64_t heads) {
    return at::empty({input.rows, heads, m_layer.headDim}, options);
  };
  const auto inMemory = [&](const at::Tensor& memory) {
    return memory.narrow(1, input.first, input.rows).transpose(0, 1);
  };
  Operands operands;
  operands.query = allocated(m_spec.queryHeads);
  if (m_operandsOnly && m_layer.ownKeys()) {
    operands.key = allocated(m_layer.keyHeads);
  } else {
    operands.key = inMemory(input.memory.keys);
    operands.value = inMemory(input.memory.values);
    if (m_weights.gated) operands.gate = allocated(m_spec.queryHeads);
  }
  if (input.wanted.wants(QueryOrKey::Query, CapturePoint::PreRope, input.first, input.rows))
    operands.queryBefore = allocated(m_spec.queryHeads);
  if (input.memory.keysBefore.defined()) {
    operands.keyBefore = inMemory(input.memory.keysBefore);
  } else if (input.wanted.wants(QueryOrKey::Key, CapturePoint::PreRope, input.first, input.rows)) {
    operands.keyBefore = allocated(m_layer.keyHeads);
  }
  return operands;
}

// A weight for all heads together is longer than a head.
bool SelfAttention::normsWholeRows(const NormWeights& norm) const {
  return norm.weight.defined() && norm.weight.dim() == 1 && norm.weight.size(0) != m_layer.headDim;
}

// heads [count, heads, head_dim].
at::Tensor SelfAttention::headsNormed(const at::Tensor& heads, const NormWeights& norm) const {
  if (normsWholeRows(norm)) return normalised(heads.flatten(1), norm, m_spec.norm).view_as(heads);
  return normalisedIfAny(heads, norm, m_spec.norm);
}

void SelfAttention::finishHeads(HeadRows rows) const {
  const QueryKeyNorm& rule = m_spec.queryKeyNorm;
  const bool wholeRows = normsWholeRows(rows.norm);
  if (hasRowSteps(rows.heads) && !(rule.afterRope && (wholeRows || rule.weightless))) {
    if (wholeRows) {
      rows.heads = headsNormed(rows.heads, rows.norm);
      finishInOnePass({rows.heads, {}, rows.rotation, rows.factors, rows.before, rows.out});
    } else {
      finishInOnePass(rows);
    }
    return;
  }
  if (!rule.afterRope) rows.heads = headsNormed(rows.heads, rows.norm);
  if (rows.before.defined()) rows.before.copy_(rows.heads);
  if (rows.rotation == nullptr) {
    rows.out.copy_(rows.heads);
  } else {
    const RopeSpec& rope = m_spec.ropes[m_layer.ropeIndex];
    if (rope.computeInFloat32) {
      const at::Tensor wide = rows.heads.to(at::kFloat), rotated = at::empty_like(wide);
      applyRope(wide, *rows.rotation, rope.interleaved, rotated);
      rows.out.copy_(rotated);
    } else {
      applyRope(rows.heads, *rows.rotation, rope.interleaved, rows.out);
    }
  }
  if (rule.afterRope) rows.out.copy_(headsNormed(rows.out, rows.norm));
  if (rule.weightless && m_layer.rope) rows.out.copy_(normalised(rows.out, {}, m_spec.norm));
  if (rows.factors.defined()) rows.out.mul_(rows.factors);
}

void SelfAttention::finishInOnePass(const HeadRows& rows) const {
  const QueryKeyNorm& rule = m_spec.queryKeyNorm;
  const VectorNormOf norm(rows.norm, m_spec.norm, m_layer.headDim), plain({}, m_spec.norm, m_layer.headDim);
  HeadStep step;
  step.count = countOf(rows.heads);
  step.in = vectorsOf(rows.heads);
  step.out = vectorsOf(rows.out);
  if (rows.before.defined()) step.before = vectorsOf(rows.before);
  if (rows.norm.weight.defined()) (rule.afterRope ? step.normAfter : step.normBefore) = &norm.norm();
  if (rule.weightless && m_layer.rope) step.normAfter = &plain.norm();
  at::Tensor cos, sin;
  if (rows.rotation != nullptr) {
    cos = rows.rotation->cos.to(at::kFloat);
    sin = rows.rotation->sin.to(at::kFloat);
    step.cos = cos.const_data_ptr<float>();
    step.sin = sin.const_data_ptr<float>();
    step.half = cos.size(2);
    step.interleaved = m_spec.ropes[m_layer.ropeIndex].interleaved;
  }
  if (rows.factors.defined()) step.factor = rows.factors.const_data_ptr<float>();
  runStep(step);
}

// Rows [row, row + count) of the chunk.
void SelfAttention::fill(const MixerInput& input, std::int64_t row, std::int64_t count,
                         const Operands& operands) const {
  const std::int64_t queryHeads = m_spec.queryHeads, keyHeads = m_layer.keyHeads, first = input.first + row;
  const at::Tensor all = m_weights.operands.times(input.normed(row, count))
                             .unflatten(1, {-1, m_layer.headDim});  // [count, heads of all kinds, head_dim]
  const auto rowsOf = [&](const at::Tensor& chunk) { return chunk.narrow(0, row, count); };
  const std::int64_t queryRows = m_weights.gated ? 2 * queryHeads : queryHeads;
  at::Tensor query = all.narrow(1, 0, queryRows);
  if (m_weights.gated) {
    const at::Tensor pairs = query.unflatten(1, {queryHeads, 2});
    if (operands.gate.defined()) rowsOf(operands.gate).copy_(pairs.select(2, 1));
    query = pairs.select(2, 0);
  }
  RopeRows rotation;
  if (m_layer.rope) {
    const RopeFrequencies& rope = input.text.ropes[m_layer.ropeIndex];
    rotation = ropeRows(
        rope.inverse, rope.attentionFactor, first, count,
        m_spec.ropes[m_layer.ropeIndex].computeInFloat32 ? Compute{m_compute.device, at::kFloat} : m_compute);
  }
  const RopeRows* const used = m_layer.rope ? &rotation : nullptr;
  const at::Tensor factors =
      m_layer.queryScale ? temperatures(m_spec.temperature, first, count, m_compute.device) : at::Tensor();
  const auto beforeOf = [&](const at::Tensor& chunk) { return chunk.defined() ? rowsOf(chunk) : chunk; };
  finishHeads(
      {query, m_weights.queryNorm, used, factors, beforeOf(operands.queryBefore), rowsOf(operands.query)});
  if (!m_layer.ownKeys()) return;  // they are there
  const at::Tensor key = all.narrow(1, queryRows, keyHeads);
  finishHeads({key, m_weights.keyNorm, used, {}, beforeOf(operands.keyBefore), rowsOf(operands.key)});
  if (!operands.value.defined()) return;
  const at::Tensor value = m_layer.valuesAreKeys ? key : all.narrow(1, queryRows + keyHeads, keyHeads);
  rowsOf(operands.value).copy_(m_spec.valueNorm ? normalised(value, {}, m_spec.norm) : value);
}

at::Tensor SelfAttention::run(const MixerInput& input) {
  const Operands operands = allocate(input);
  forRowBlocks(m_compute.device, input.rows,
               [&](std::int64_t row, std::int64_t count) { fill(input, row, count, operands); });
  const auto collect = [&](QueryOrKey kind, const at::Tensor& before, const at::Tensor& after) {
    if (before.defined()) input.wanted.collect(kind, CapturePoint::PreRope, input.first, before);
    input.wanted.collect(kind, CapturePoint::PostRope, input.first, after);
  };
  collect(QueryOrKey::Query, operands.queryBefore, operands.query);
  collect(QueryOrKey::Key, operands.keyBefore, operands.key);
  if (m_operandsOnly) return {};
  const AttentionRule rule{m_spec.scoreScale, m_layer.window, m_layer.attention == AttentionKind::Chunked,
                           m_spec.scoreSoftcap, m_weights.sinks};
  at::Tensor attended = causalAttention(operands.query, input.first, input.memory.keys, input.memory.values,
                                        rule, input.checkpoint);
  if (m_interventions) {
    m_interventions->clamp(attended, {operands.query, input.first, input.memory.keys, input.memory.values,
                                      rule, input.checkpoint});
  }
  if (operands.gate.defined()) {
    forRowBlocks(m_compute.device, input.rows, [&](std::int64_t row, std::int64_t count) {
      attended.narrow(0, row, count).mul_(at::sigmoid(operands.gate.narrow(0, row, count).flatten(1)));
    });
  }
  if (m_interventions) m_interventions->ablate(attended, m_layer.headDim);
  return attended;
}

at::Tensor SelfAttention::project(const at::Tensor& mixed) const {
  return m_weights.output.times(mixed);
}

}  // namespace plastiscope
