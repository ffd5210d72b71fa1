#pragma once
// One decoder layer: built from the model's spec and the tensors that the layer has.
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>

#include "core/forward/device.h"
#include "core/forward/layer_weights.h"
#include "core/forward/operand_rows.h"
#include "core/forward/rope_scaling.h"

namespace plastiscope {

// A text on its way through the layers.
struct SequenceState {
  at::Tensor hidden;     // [tokens, hidden], changed in place by every layer
  RopeFrequencies rope;  // of this text's length, on the compute device
};

// Room for the keys and values of one layer and one text: [key_heads, tokens, head_dim] each.
struct KeyValues {
  at::Tensor keys, values;
};

class DecoderLayer {
 public:
  // `operandsOnly`: the last captured layer, of which only queries and keys are wanted.
  DecoderLayer(const Model& model, std::int64_t layer, const Compute& compute, bool operandsOnly);

  // Runs the positions [first, first + rows) of a text, whose earlier positions were run before. `checkpoint`
  // is called between the steps and may throw to stop.
  void run(SequenceState& text, KeyValues& memory, std::int64_t first, std::int64_t rows, OperandRows& wanted,
           const std::function<void()>& checkpoint) const;

 private:
  // What the dot products are made of, for one chunk: [rows, heads, head_dim]; before the rotation only if
  // wanted.
  struct Operands {
    at::Tensor query, key, value, queryBefore, keyBefore;
  };
  Operands roomFor(KeyValues& memory, std::int64_t first, std::int64_t rows, const OperandRows& wanted) const;
  void project(const SequenceState& text, std::int64_t first, std::int64_t row, std::int64_t count,
               const Operands& operands) const;
  void finish(const at::Tensor& hidden, const at::Tensor& attended) const;

  const ModelSpec& m_spec;
  const LayerSpec& m_layer;
  Compute m_compute;
  bool m_operandsOnly;
  LayerWeights m_weights;
};

}  // namespace plastiscope
