#pragma once
// Recurrence as mixer: projection, causal convolution, states of all heads, norm and gate. Only projections
// run on the compute device; states are updated token by token on the CPU in float32.
#include <cstdint>

#include "core/forward/device.h"
#include "core/forward/layer_weights.h"
#include "core/forward/mixer.h"

namespace plastiscope {

class RecurrentMixer : public Mixer {
 public:
  RecurrentMixer(const RecurrenceSpec& spec, double eps, const Compute& compute, RecurrenceWeights weights);
  // Continues after the previous chunk; a chunk at position 0 resets the state.
  at::Tensor run(const MixerInput& input) override;
  at::Tensor project(const at::Tensor& mixed) const override;
  void chunkDone() override;
  NamedTensors carried() const override { return {{"states", m_states}, {"inputs", m_before}}; }

 private:
  // Buffers of one chunk, on the CPU.
  struct Chunk {
    at::Tensor gate;               // [rows, value_rows] in the compute type
    at::Tensor inputs;             // [kernel - 1 + rows, channels], preceded by those of earlier tokens
    at::Tensor rates;              // [rows, strengths and steps] float32, as projected
    at::Tensor operands;           // [rows, channels] float32: queries, keys and values
    at::Tensor decays, strengths;  // [rows, heads] float32
    at::Tensor output;             // [rows, value_rows] float32: output of the states
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
  std::int64_t m_queryAt, m_keyAt, m_valueAt;  // offsets among the channels
  at::Tensor m_states;                         // [heads, key_dim, value_dim] float32
  at::Tensor m_before;                         // [kernel - 1, channels] inputs before the chunk
  at::Tensor m_statesAfter, m_beforeNext;      // after the last chunk, until chunkDone()
};

// ---- State update of one head, token by token, in float32.

// Tokens of one head; data of consecutive tokens are `stride` numbers apart.
struct HeadScan {
  const float *query, *key;  // [key_dim]
  const float* value;        // [value_dim]
  std::int64_t stride;
  const float *decay, *strength;  // one number per token
  std::int64_t rateStride;
  float* output;  // [value_dim]
  std::int64_t outputStride;
  float* state;  // [key_dim, value_dim], updated
  std::int64_t keyDim, valueDim, tokens;
  bool deltaRule;
};

// Computes RecurrenceSpec's recurrence. Sums run over key_dim in fixed order, so that results are
// reproducible.
void scanHead(const HeadScan& head);

}  // namespace plastiscope
