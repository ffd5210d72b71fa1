#pragma once
// The mixer of a decoder layer, and the operands that it hands over.
#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/forward/forward.h"
#include "core/forward/rope.h"
#include "core/forward/row_choice.h"

namespace plastiscope {

// ---- The vectors of one layer and example that a sink asked for, gathered chunk by chunk and handed over at
// the end.

// Tensors of one moment of a run, on the CPU.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

class OperandRows {
 public:
  OperandRows(QkSink& sink, std::int64_t layer, const TokenSequence& sequence, std::int64_t headDim,
              const c10::Device& device);

  // Is any vector of this kind wanted among the positions [first, first + rows)?
  bool wants(QueryOrKey kind, CapturePoint point, std::int64_t first, std::int64_t rows) const;
  // vectors [count, heads, head_dim] of the rows: what is wanted of them is selected where they lie and
  // copied.
  void collect(QueryOrKey kind, CapturePoint point, const ReadRows& rows, const at::Tensor& vectors);
  void deliver(QkSink& sink) const;
  // What was collected of the positions below `row`, by kind and point: [heads, positions, head_dim], to be
  // kept or to be written into.
  NamedTensors collected(std::int64_t row) const;

 private:
  struct Wanted {
    QueryOrKey kind;
    CapturePoint point;
    bool dense;  // at every position
    std::vector<std::int32_t> heads, positions;
    at::Tensor vectors = {};   // [heads, positions, head_dim] float32 on the device
    std::int64_t missing = 0;  // positions not collected yet
    at::Tensor onHost = {};    // from a card, once all are: a copy that is there after `sent`
    std::optional<c10::Event> sent = {};
  };
  void want(Wanted wanted, std::int64_t headDim);
  void collect(Wanted& wanted, const ReadRows& rows, const at::Tensor& vectors) const;
  void send(Wanted& wanted) const;

  std::int64_t m_layer, m_example;
  c10::Device m_device;
  std::vector<Wanted> m_wanted;  // nothing in it is empty
};

// ---- The part of a decoder layer in which tokens see each other: attention, or a recurrence in its place.

// Room for the keys and values of one layer and one text: [key_heads, tokens, head_dim] each. `keysBefore`:
// the keys before the rotation, where layers that share them may be asked for those; else undefined.
struct KeyValues {
  at::Tensor keys, values, keysBefore;
};

// A text on its way through the layers.
struct SequenceState {
  at::Tensor hidden;                   // [tokens, hidden], changed in place by every layer
  std::vector<RopeFrequencies> ropes;  // as in ModelSpec, of this text's length, on the compute device
  const std::vector<std::int32_t>* tokens = nullptr;
  std::map<std::int64_t, KeyValues> shared;  // by the layer they belong to, for layers to come
};

// The positions [first, first + rows) of a text, whose earlier positions were run before, and for which of
// them something is formed.
struct ChunkRows {
  static ChunkRows all(std::int64_t first, std::int64_t rows);

  std::int64_t first, rows;
  ReadRows queries, keys;
  ReadRows outputs;  // of the layer; among the queries
};

struct MixerInput {
  const SequenceState& text;
  KeyValues& memory;
  const ChunkRows& chunk;
  std::function<at::Tensor(const ReadRows& rows)> normed;  // the mixer's input, normed: [count, hidden]
  OperandRows& wanted;
  const std::function<void()>& checkpoint;  // called between the steps; may throw to stop
};

class Mixer {
 public:
  virtual ~Mixer() = default;
  // What the output projection gets: [outputs, width]; undefined when only operands were wanted.
  virtual at::Tensor run(const MixerInput& input) = 0;
  // [count, width] -> [count, hidden].
  virtual at::Tensor project(const at::Tensor& mixed) const = 0;
  // What the results of the chunk that was run were used for is done: the next chunk goes on from it. Without
  // this call the chunk may be run again.
  virtual void chunkDone() {}
  // What goes from one chunk of a text to the next beside keys and values; written into, it continues another
  // run.
  virtual NamedTensors carried() const { return {}; }
};

}  // namespace plastiscope
