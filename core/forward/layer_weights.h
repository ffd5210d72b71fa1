#pragma once
// Weights of a decoder layer in the form used by the forward pass.
#include <ATen/core/Tensor.h>
#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/forward/alternating_updates.h"
#include "core/forward/device.h"
#include "core/forward/layer_parts.h"
#include "core/forward/layer_reader.h"
#include "core/forward/linear.h"
#include "core/model/model.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// ---- Per-layer embeddings (Gemma 3n and 4): each layer gets a vector of each token, combined with a
// projection of the token's embedding. Recomputed per chunk, so that only one layer's vectors are in memory.

class LayerInput {
 public:
  // Requests the tensors of the layer from `reader`.
  LayerInput(const Model& model, std::int64_t layer, const Compute& compute, LayerReader& reader);

  // The contribution of the per-layer input to the residual stream: [tokens, hidden]. `rows` [tokens, hidden]
  // is that stream at `tokens`.
  at::Tensor outputs(const at::Tensor& rows, const std::vector<std::int32_t>& tokens) const;
  // Releases file pages read for a chunk.
  void dropPageCache() const;

 private:
  at::Tensor vectorsOf(const std::vector<std::int32_t>& tokens) const;  // [tokens, layer_input]

  const Model& m_model;
  std::int64_t m_layer;
  Compute m_compute;
  at::Tensor m_projection;  // [layer_input, hidden]
  NormWeights m_projectionNorm;
  at::Tensor m_gate, m_output;  // [layer_input, hidden], [hidden, layer_input]
  NormWeights m_outputNorm;
};

// ---- Weights of a recurrence, in one form for all families.

// Undefined: not in the model. All except the two matrices are float32 on the CPU, the kernel of a gated
// convolution on the compute device.
struct RecurrenceWeights {
  // [RecurrenceSpec::inputRows(), hidden]: gate; inputs of the convolution (delta net: queries, keys, values;
  // Mamba 2: values, keys, queries); strengths of a delta net; steps.
  Linear input;
  Linear output;                            // [hidden, value_rows]
  at::Tensor convolution, convolutionBias;  // [kernel, channels], [channels]
  at::Tensor decay;                         // [heads] negative, for unit steps
  at::Tensor stepBias, skip;                // [heads]
  at::Tensor norm;                          // [1 or groups, channels per norm group]
};

// Requests the tensors from a LayerReader and converts them after reading.
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

// ---- Weights of a decoder layer, read from the model's file into the compute type.

// Parts of a layer to load.
enum class LayerUse {
  Whole,
  ReadRows,  // before the last: keys and values of all rows, the rest for captured rows
  Operands,  // last: queries and keys only
};

// Undefined: not in the model.
struct AttentionWeights {
  // Separate only if queries and keys are computed for different rows; then `operands` has no query rows.
  Linear query;
  Linear operands;   // [(query_heads (twice with a gate) + 2 key_heads) * head_dim, hidden]: query (per
                     // head with its gate), key, value rows; no value rows in an operands-only layer
  Linear output;     // [hidden, query_heads * head_dim]
  at::Tensor sinks;  // [query_heads] float32
  NormWeights queryNorm, keyNorm;
  bool gated = false;
  // Latent attention, with `query` applied to the normed output of queryDown if there is one; `operands` is
  // [rank + rotated, hidden], the latent vector and the rotated part of the keys.
  Linear queryDown, latentUp;
  NormWeights queryDownNorm, latentNorm;
  at::Tensor latentKeyUp, latentValueUp;  // while reading: the parts of latentUp, if they are two tensors
};

struct LaurelWeights {
  at::Tensor down, up;  // [rank, hidden], [hidden, rank]
  NormWeights norm;
};

struct LayerWeights {
  LayerUse use = LayerUse::Whole;
  NormWeights inputNorm, attentionOutputNorm, mlpNorm, denseOutputNorm, mlpOutputNorm;
  AttentionWeights attention;    // if the layer has attention
  RecurrenceWeights recurrence;  // if the layer has a recurrence
  MlpWeights mlp;                // dense layer, or beside experts
  ExpertWeights experts;         // sparse layer
  LaurelWeights laurel;
  std::optional<AltUp> altUp;
  std::optional<LayerInput> input;
  at::Tensor scale;  // [1] on the residual stream after the layer
};

// Loads the parts of layer `layer` that its use needs. File pages are released after each tensor.
class LayerLoad {
 public:
  LayerLoad(const Model& model, std::int64_t layer, const Compute& compute, LayerUse use);  // allocates

  // Reads, converts and packs with all threads available to the caller until done or `goesOn` (called from
  // any thread) returns false. Returns whether everything is done. One caller at a time.
  bool work(const std::function<bool()>& goesOn);
  // Call when work() has returned true.
  LayerWeights weights() && { return std::move(m_weights); }

 private:
  void finish();

  std::optional<LayerReader> m_reader;  // released after packing, with the unpacked weights
  LayerWeights m_weights;
  std::optional<RecurrenceReader> m_recurrence;
  std::vector<at::Tensor> m_xielu;
  std::vector<Linear*> m_toPack;  // of m_weights
  std::atomic<std::size_t> m_packed = 0;
};

// Embedding rows of tokens: [tokens, hidden] in the compute type. InputError for a token outside the
// vocabulary. embed() releases the file pages.
at::Tensor embeddingRows(const Model& model, const std::vector<std::int32_t>& tokens, const Compute& compute);
at::Tensor embed(const Model& model, const std::vector<std::int32_t>& tokens, const Compute& compute);

class LayersAhead {
 public:
  LayersAhead(const Model& model, const Compute& compute) : m_model(model), m_compute(compute) {}
  ~LayersAhead() { stop(); }
  LayersAhead(const LayersAhead&) = delete;
  LayersAhead& operator=(const LayersAhead&) = delete;

  // Starts reading a layer in a thread; several threads for a GPU, which leaves the CPU idle.
  void begin(std::int64_t layer, LayerUse use);
  // Weights of a layer, whether begun or not. All threads read the rest. Rethrows errors of reading.
  LayerWeights take(std::int64_t layer, LayerUse use);

 private:
  void stop();

  const Model& m_model;
  Compute m_compute;
  std::int64_t m_layer = -1;          // of m_load
  std::unique_ptr<LayerLoad> m_load;  // used by the thread until it ends
  std::atomic<bool> m_goesOn = false;
  std::future<void> m_thread;
};

}  // namespace plastiscope
