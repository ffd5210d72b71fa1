#pragma once
// The part of a decoder layer in which tokens see each other: attention, or a recurrence in its place.
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "core/forward/operand_rows.h"
#include "core/forward/rope_scaling.h"

namespace plastiscope {

// A text on its way through the layers.
struct SequenceState {
  at::Tensor hidden;                   // [tokens, hidden], changed in place by every layer
  std::vector<RopeFrequencies> ropes;  // as in ModelSpec, of this text's length, on the compute device
};

// Room for the keys and values of one layer and one text: [key_heads, tokens, head_dim] each.
struct KeyValues {
  at::Tensor keys, values;
};

// The positions [first, first + rows) of a text, whose earlier positions were run before.
struct MixerInput {
  const SequenceState& text;
  KeyValues& memory;
  std::int64_t first, rows;
  // The mixer's input, normed: rows [row, row + count) of these, [count, hidden].
  std::function<at::Tensor(std::int64_t row, std::int64_t count)> normed;
  OperandRows& wanted;
  const std::function<void()>& checkpoint;  // called between the steps; may throw to stop
};

class Mixer {
 public:
  virtual ~Mixer() = default;
  // What the output projection gets: [rows, width]; undefined when only operands were wanted.
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
