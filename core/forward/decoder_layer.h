#pragma once
// A decoder layer, built from the model's spec and the tensors of the layer: its mixers, and the captured
// rows.
#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/forward/device.h"
#include "core/forward/forward.h"
#include "core/forward/layer_weights.h"
#include "core/forward/rope.h"
#include "core/forward/row_blocks.h"

namespace plastiscope {

// ---- Captured rows of one layer and example: collected per chunk, delivered at the end.

// Tensors of a state, on the CPU.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

class OperandRows {
 public:
  OperandRows(QkSink& sink, std::int64_t layer, const TokenSequence& sequence, std::int64_t headDim,
              const c10::Device& device);

  // Whether any row of this kind is wanted among positions [first, first + rows).
  bool wants(QueryOrKey kind, CapturePoint point, std::int64_t first, std::int64_t rows) const;
  // vectors [count, heads, head_dim] of `rows`: selects the wanted ones on their device and copies them.
  void collect(QueryOrKey kind, CapturePoint point, const ReadRows& rows, const at::Tensor& vectors);
  // outputs [count, query_heads * head_dim] of `rows`, if they are wanted.
  void collectOutputs(const ReadRows& rows, const at::Tensor& outputs);
  // Passes the vectors to the sink, except those of queries to score.
  void deliver(QkSink& sink) const;
  // The collected part for positions below `row`, by kind and point: [heads, positions, head_dim], for saving
  // or restoring.
  NamedTensors collected(std::int64_t row) const;
  // Query heads and queries whose attention is scored, when all are collected; vectors undefined: none.
  struct Scored {
    std::span<const std::int32_t> heads, positions;
    at::Tensor vectors;    // [heads, positions, head_dim] float32
    bool topKeys = false;  // also TextScores::topKeys
  };
  Scored scored() const;

 private:
  enum class Use { Sampled, Dense, Scored, Output };  // dense: at every position; output: of the head
  struct Wanted {
    QueryOrKey kind;
    CapturePoint point;
    Use use;
    std::vector<std::int32_t> heads, positions;
    at::Tensor vectors = {};   // [heads, positions, head_dim] float32 on the device
    std::int64_t missing = 0;  // number of positions not yet collected
    at::Tensor onHost = {};    // copy of a complete GPU tensor, valid after `sent`
    std::optional<c10::Event> sent = {};
  };
  void want(Wanted wanted, std::int64_t headDim);
  void collect(Wanted& wanted, const ReadRows& rows, const at::Tensor& vectors) const;
  void send(Wanted& wanted) const;

  std::int64_t m_layer, m_example;
  c10::Device m_device;
  bool m_topKeys;
  std::vector<Wanted> m_wanted;  // without empty requests
};

// ---- The mixer of a decoder layer: attention or a recurrence.

// Buffers for keys and values of one layer and text: [key_heads, tokens, head_dim] each. `keysBefore`: keys
// before RoPE, if layers that share them may capture those; else undefined.
struct KeyValues {
  at::Tensor keys, values, keysBefore;
};

// What a query head adds to the hidden states of a text, for the cuts that leave it out.
struct Contribution {
  QueryHead from;
  std::shared_ptr<const std::vector<float>> values;  // as PathCut::values: what is kept of it
  at::Tensor rows;                                   // [tokens, hidden]
};

// Copies the rows from `first` on of values [tokens, width] to `rows` [count, width], as far as there are
// any.
void setKnown(const std::vector<float>& values, std::int64_t first, const at::Tensor& rows);

// State of a text between layers.
struct SequenceState {
  at::Tensor hidden;                   // [tokens, ModelSpec::stateWidth()], updated in place by every layer
  std::vector<RopeFrequencies> ropes;  // for ModelSpec::ropes and this text's length, on the compute device
  const std::vector<std::int32_t>* tokens = nullptr;
  std::map<std::int64_t, KeyValues> shared = {};  // by owning layer, for later layers
  std::vector<Contribution> contributions = {};   // filled by the layers of their heads
};

// Positions [first, first + rows) of a text whose earlier positions were processed, and the rows among them
// for queries, keys and outputs.
struct ChunkRows {
  static ChunkRows all(std::int64_t first, std::int64_t rows);

  std::int64_t first, rows;
  ReadRows queries, keys;
  ReadRows outputs;  // of the layer; a subset of the queries
};

struct MixerInput {
  const SequenceState& text;
  KeyValues& memory;
  const ChunkRows& chunk;
  // Normed input of the mixer: [count, hidden]. `without`: subtracted from the hidden states, or undefined.
  std::function<at::Tensor(const ReadRows& rows, const at::Tensor& without)> normed;
  OperandRows& wanted;
  const std::function<void()>& checkpoint;  // called between steps; may throw to stop
};

class Mixer {
 public:
  virtual ~Mixer() = default;
  // Returns the input of the output projection: [outputs, width]; undefined if only rows were captured.
  virtual at::Tensor run(const MixerInput& input) = 0;
  // Attention scores of these queries after the last chunk.
  virtual TextScores scores(const SequenceState& /*text*/, const KeyValues& /*memory*/,
                            const OperandRows::Scored& /*queries*/) const {
    return {};
  }
  // [count, width] -> [count, hidden].
  virtual at::Tensor project(const at::Tensor& mixed) const = 0;
  // Changes the heads of the next texts; no longer those of the texts before.
  virtual void change(const std::vector<const Interventions*>& /*changes*/) {}
  // Commits the state after the last chunk, whose results were used. Without this call the chunk may be
  // repeated.
  virtual void chunkDone() {}
  // State between chunks besides keys and values; writing into it resumes another run.
  virtual NamedTensors carried() const { return {}; }
};

// Takes the weights of its part from `weights`.
std::unique_ptr<Mixer> makeSelfAttention(const ModelSpec& spec, std::int64_t layer, const Compute& compute,
                                         LayerWeights& weights);
std::unique_ptr<Mixer> makeRecurrentMixer(const ModelSpec& spec, const Compute& compute,
                                          LayerWeights& weights);

// ---- The layer.

class DecoderLayer {
 public:
  // `weights`: of layer `layer`.
  DecoderLayer(const ModelSpec& spec, std::int64_t layer, const Compute& compute, LayerWeights weights);
  // Like Mixer::change.
  void change(const std::vector<const Interventions*>& changes);

  // Runs a chunk of a text after the chunks before it; only the hidden states of the chunk's outputs change.
  // The pieces are parts of one chunk; the first computes the keys for all of them. `checkpoint` is called
  // between steps and may throw to stop.
  void run(SequenceState& text, KeyValues& memory, std::span<const ChunkRows> pieces, OperandRows& wanted,
           const std::function<void()>& checkpoint);
  // Like Mixer::scores, of its attention.
  TextScores scores(const SequenceState& text, const KeyValues& memory,
                    const OperandRows::Scored& queries) const {
    return m_mixers.front()->scores(text, memory, queries);
  }
  // Like Mixer::carried, for all mixers.
  NamedTensors carried() const;

 private:
  at::Tensor feedForward(const at::Tensor& x) const;
  at::Tensor denseAndExperts(const at::Tensor& rows, const at::Tensor& normed) const;
  at::Tensor input(const at::Tensor& rows) const;
  at::Tensor addedWithLaurel(const at::Tensor& rows, const at::Tensor& added) const;
  at::Tensor added(const std::vector<at::Tensor>& mixed) const;
  void contribute(const at::Tensor& rows, const Contribution& contribution, const ReadRows& block,
                  const std::vector<at::Tensor>& mixed) const;
  void finish(const at::Tensor& rows, const std::vector<at::Tensor>& mixed) const;
  void finishStreams(const at::Tensor& rows, const std::vector<at::Tensor>& mixed,
                     const std::vector<std::int32_t>& tokens) const;
  void finish(SequenceState& text, const ReadRows& outputs, const std::vector<at::Tensor>& mixed) const;

  const ModelSpec& m_spec;
  const std::int64_t m_number;  // of the layer
  const LayerSpec& m_layer;
  Compute m_compute;
  LayerWeights m_weights;
  std::vector<std::unique_ptr<Mixer>> m_mixers;  // run in parallel; results are added
};

}  // namespace plastiscope
