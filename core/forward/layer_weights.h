#pragma once
// The weights of one decoder layer in the form that the forward pass uses.
#include <ATen/core/Tensor.h>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/forward/device.h"
#include "core/forward/layer_input.h"
#include "core/forward/layer_parts.h"
#include "core/forward/layer_reader.h"
#include "core/forward/linear.h"
#include "core/model/model.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// ---- The weights of a recurrence in one form for all families.

// What is undefined is not in the model. All but the two matrices are float32 on the CPU.
struct RecurrenceWeights {
  // [RecurrenceSpec::inputRows(), hidden]: the gate; what the convolution gets (delta net: queries, keys,
  // values; Mamba 2: values, keys, queries); the strengths of a delta net; the steps.
  Linear input;
  Linear output;                            // [hidden, value_rows]
  at::Tensor convolution, convolutionBias;  // [kernel, channels], [channels]
  at::Tensor decay;                         // [heads] negative, for a step of length 1
  at::Tensor stepBias, skip;                // [heads]
  at::Tensor norm;                          // [1 or groups, numbers normed together]
};

// Takes the tensors out of a layer: first asks for them, then, when they were read, gives them their form.
class RecurrenceReader {
 public:
  RecurrenceReader(LayerReader& reader, const RecurrenceSpec& spec);
  RecurrenceWeights weights() const;

 private:
  const RecurrenceSpec& m_spec;
  at::Tensor m_input, m_rates, m_output;  // as in the file
  bool m_operandsByKeyHead, m_ratesByKeyHead, m_decayIsLog;
  RecurrenceWeights m_read;
};

// ---- The weights of one decoder layer, read from the model's file into the compute type.

// What a layer is loaded for.
enum class LayerUse {
  Whole,
  ReadRows,  // the last one before the last: keys and values of all rows, the rest of those that are read
  Operands,  // the last one: queries and keys that are captured
};

// What is undefined is not in the model.
struct AttentionWeights {
  // Undefined unless queries and keys are formed for different rows; then `operands` has none of its rows.
  Linear query;
  Linear operands;   // [(query_heads (twice with a gate) + 2 key_heads) * head_dim, hidden]: query (head by
                     // head beside its gate), key, value rows; no value rows in an operands-only layer
  Linear output;     // [hidden, query_heads * head_dim]
  at::Tensor sinks;  // [query_heads] float32
  NormWeights queryNorm, keyNorm;
  bool gated = false;
};

struct LayerWeights {
  LayerUse use = LayerUse::Whole;
  NormWeights inputNorm, attentionOutputNorm, mlpNorm, denseOutputNorm, mlpOutputNorm;
  AttentionWeights attention;    // where there is attention
  RecurrenceWeights recurrence;  // where there is a recurrence
  MlpWeights mlp;                // of a dense layer, or beside the experts
  ExpertWeights experts;         // of a sparse one
  std::optional<LayerInput> input;
  at::Tensor scale;  // [1] on the stream behind the layer
};

// Layer `layer` on its way from the file, and nothing that its use does not need. Pages of the file are
// released as soon as a tensor is read.
class LayerLoad {
 public:
  LayerLoad(const Model& model, std::int64_t layer, const Compute& compute, LayerUse use);  // makes room

  // Reads, converts and packs, with all threads that the caller may use, until nothing is left or `goesOn`
  // (of any thread) says no; whether nothing is left. One caller at a time.
  bool work(const std::function<bool()>& goesOn);
  // When nothing is left.
  LayerWeights weights() && { return std::move(m_weights); }

 private:
  void finish();

  std::optional<LayerReader> m_reader;  // until everything is read: it holds what is packed then
  LayerWeights m_weights;
  std::optional<RecurrenceReader> m_recurrence;
  std::vector<at::Tensor> m_xielu;
  std::vector<Linear*> m_toPack;  // of m_weights
  std::atomic<std::size_t> m_packed = 0;
};

// Embedding rows of the tokens: [tokens, hidden] in the compute type. InputError for a token outside the
// vocabulary. embed() releases the pages of the file.
at::Tensor embeddingRows(const Model& model, const std::vector<std::int32_t>& tokens, const Compute& compute);
at::Tensor embed(const Model& model, const std::vector<std::int32_t>& tokens, const Compute& compute);

}  // namespace plastiscope
