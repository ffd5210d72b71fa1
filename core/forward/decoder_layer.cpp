#include "core/forward/decoder_layer.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>

#include "core/forward/attention.h"
#include "core/forward/mlp.h"
#include "core/forward/rms_norm.h"
#include "core/forward/rope.h"
#include "core/forward/row_blocks.h"

namespace plastiscope {

DecoderLayer::DecoderLayer(const Model& model, std::int64_t layer, const Compute& compute, bool operandsOnly)
    : m_spec(model.spec),
      m_layer(model.spec.layers.at(static_cast<std::size_t>(layer))),
      m_compute(compute),
      m_operandsOnly(operandsOnly),
      m_weights(loadLayer(model, layer, compute, operandsOnly)) {}

DecoderLayer::Operands DecoderLayer::roomFor(KeyValues& memory, std::int64_t first, std::int64_t rows,
                                             const OperandRows& wanted) const {
  const auto options = at::TensorOptions(m_compute.device).dtype(m_compute.dtype);
  const auto room = [&](std::int64_t heads) { return at::empty({rows, heads, m_spec.headDim}, options); };
  Operands operands;
  operands.query = room(m_spec.queryHeads);
  if (m_operandsOnly) {
    operands.key = room(m_spec.keyHeads);
  } else {
    operands.key = memory.keys.narrow(1, first, rows).transpose(0, 1);
    operands.value = memory.values.narrow(1, first, rows).transpose(0, 1);
  }
  if (wanted.wants(VectorKind::Query, CapturePoint::PreRope, first, rows))
    operands.queryBefore = room(m_spec.queryHeads);
  if (wanted.wants(VectorKind::Key, CapturePoint::PreRope, first, rows))
    operands.keyBefore = room(m_spec.keyHeads);
  return operands;
}

// Rows [row, row + count) of the chunk that starts at position `first`.
void DecoderLayer::project(const SequenceState& text, std::int64_t first, std::int64_t row,
                           std::int64_t count, const Operands& operands) const {
  const at::Tensor x = text.hidden.narrow(0, first + row, count);
  const at::Tensor all =
      at::linear(rmsNorm(x, m_weights.inputNorm, m_spec.normEps), m_weights.operands, m_weights.operandsBias)
          .unflatten(1, {-1, m_spec.headDim});  // [count, heads of all kinds, head_dim]
  const at::Tensor query = all.narrow(1, 0, m_spec.queryHeads);
  const at::Tensor key = all.narrow(1, m_spec.queryHeads, m_spec.keyHeads);
  const auto rowsOf = [&](const at::Tensor& chunk) { return chunk.narrow(0, row, count); };
  if (operands.queryBefore.defined()) rowsOf(operands.queryBefore).copy_(query);
  if (operands.keyBefore.defined()) rowsOf(operands.keyBefore).copy_(key);
  if (m_layer.rope) {
    const RopeRows turn =
        ropeRows(text.rope.inverse, text.rope.attentionFactor, first + row, count, m_compute);
    applyRope(query, turn, m_spec.rope.interleaved, rowsOf(operands.query));
    applyRope(key, turn, m_spec.rope.interleaved, rowsOf(operands.key));
  } else {
    rowsOf(operands.query).copy_(query);
    rowsOf(operands.key).copy_(key);
  }
  if (operands.value.defined()) {
    rowsOf(operands.value).copy_(all.narrow(1, m_spec.queryHeads + m_spec.keyHeads, m_spec.keyHeads));
  }
}

// Output projection and feed-forward part of a block of rows, added to `hidden` in place.
void DecoderLayer::finish(const at::Tensor& hidden, const at::Tensor& attended) const {
  hidden.add_(at::linear(attended, m_weights.output, m_weights.outputBias));
  const at::Tensor normed = rmsNorm(hidden, m_weights.postAttentionNorm, m_spec.normEps);
  hidden.add_(gatedMlp(normed, m_weights.mlp, m_spec.activation));
}

void DecoderLayer::run(SequenceState& text, KeyValues& memory, std::int64_t first, std::int64_t rows,
                       OperandRows& wanted, const std::function<void()>& checkpoint) const {
  const Operands operands = roomFor(memory, first, rows, wanted);
  forRowBlocks(m_compute.device, rows,
               [&](std::int64_t row, std::int64_t count) { project(text, first, row, count, operands); });
  const auto collect = [&](VectorKind kind, const at::Tensor& before, const at::Tensor& after) {
    if (before.defined()) wanted.collect(kind, CapturePoint::PreRope, first, before);
    wanted.collect(kind, CapturePoint::PostRope, first, after);
  };
  collect(VectorKind::Query, operands.queryBefore, operands.query);
  collect(VectorKind::Key, operands.keyBefore, operands.key);
  if (m_operandsOnly) return;
  const at::Tensor attended = causalAttention(operands.query, first, memory.keys, memory.values,
                                              {m_spec.scoreScale, m_layer.window}, checkpoint);
  checkpoint();
  const at::Tensor hidden = text.hidden.narrow(0, first, rows);
  forRowBlocks(m_compute.device, rows, [&](std::int64_t row, std::int64_t count) {
    finish(hidden.narrow(0, row, count), attended.narrow(0, row, count));
  });
}

}  // namespace plastiscope
