#pragma once
// A recurrence as a mixer: projection, convolution over neighbouring tokens, the states of all heads, norm
// and gate. Only the projections run on the compute device: the states follow token by token on the CPU, in
// float32.
#include <cstdint>

#include "core/forward/device.h"
#include "core/forward/layer_weights.h"
#include "core/forward/mixer.h"

namespace plastiscope {

class RecurrentMixer : public Mixer {
 public:
  RecurrentMixer(const RecurrenceSpec& spec, double eps, const Compute& compute, RecurrenceWeights weights);
  // A chunk goes on where the last one ended; one that starts at position 0 starts anew.
  at::Tensor run(const MixerInput& input) override;
  at::Tensor project(const at::Tensor& mixed) const override;
  void chunkDone() override;
  NamedTensors carried() const override { return {{"states", m_states}, {"inputs", m_before}}; }

 private:
  // One chunk, on the CPU.
  struct Chunk {
    at::Tensor gate;               // [rows, value_rows] in the compute type
    at::Tensor inputs;             // [kernel - 1 + rows, channels], first those of the tokens before
    at::Tensor rates;              // [rows, strengths and steps] float32, as projected
    at::Tensor operands;           // [rows, channels] float32: queries, keys and values
    at::Tensor decays, strengths;  // [rows, heads] float32
    at::Tensor output;             // [rows, value_rows] float32: what the states gave
  };
  Chunk allocate(std::int64_t rows) const;
  void fill(const MixerInput& input, std::int64_t row, std::int64_t count, const Chunk& chunk) const;
  void convolve(std::int64_t row, std::int64_t count, const Chunk& chunk) const;
  void rate(std::int64_t row, std::int64_t count, const Chunk& chunk) const;
  void scan(std::int64_t head, const Chunk& chunk) const;
  at::Tensor finished(std::int64_t row, std::int64_t count, const Chunk& chunk) const;

  const RecurrenceSpec& m_spec;
  double m_eps;
  Compute m_compute;
  RecurrenceWeights m_weights;
  std::int64_t m_queryAt, m_keyAt, m_valueAt;  // where they begin among the channels
  at::Tensor m_states;                         // [heads, key_dim, value_dim] float32
  at::Tensor m_before;                         // [kernel - 1, channels] inputs before the chunk
  at::Tensor m_statesAfter, m_beforeNext;      // of the chunk that was run last
};

// ---- The state of one head of a recurrence, token after token, in float32.

// Tokens of one head; what belongs to the next token lies `stride` numbers further.
struct HeadScan {
  const float *query, *key;  // [key_dim]
  const float* value;        // [value_dim]
  std::int64_t stride;
  const float *decay, *strength;  // one number
  std::int64_t rateStride;
  float* output;  // [value_dim]
  std::int64_t outputStride;
  float* state;  // [key_dim, value_dim], left as it is after the last token
  std::int64_t keyDim, valueDim, tokens;
  bool deltaRule;
};

// As RecurrenceSpec says. Every sum runs over key_dim in the same order, so that results depend on nothing
// else.
void scanHead(const HeadScan& head);

}  // namespace plastiscope
