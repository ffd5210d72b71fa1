// Recurrence as mixer: projection, causal convolution, states of all heads, norm and gate. Only projections
// run on the compute device; states are updated token by token on the CPU in float32.
#include <ATen/ops/empty.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <cmath>

#include "core/forward/decoder_layer.h"
#include "core/forward/row_blocks.h"

namespace plastiscope {

namespace {

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

// state *= decay; recalled += state^T key.
void decayAndRecall(float* __restrict state, float decay, const float* key, float* __restrict recalled,
                    std::int64_t keyDim, std::int64_t valueDim) {
  for (std::int64_t i = 0; i < keyDim; ++i, state += valueDim) {
    const float k = key[i];
    for (std::int64_t j = 0; j < valueDim; ++j) {
      state[j] *= decay;
      recalled[j] += k * state[j];
    }
  }
}

// state = decay state + key change^T; output += state^T query.
void writeAndRead(float* __restrict state, float decay, const float* key, const float* query,
                  const float* __restrict change, float* __restrict output, std::int64_t keyDim,
                  std::int64_t valueDim) {
  for (std::int64_t i = 0; i < keyDim; ++i, state += valueDim) {
    const float k = key[i], q = query[i];
    for (std::int64_t j = 0; j < valueDim; ++j) {
      state[j] = decay * state[j] + k * change[j];
      output[j] += q * state[j];
    }
  }
}

// Computes RecurrenceSpec's recurrence. Sums run over key_dim in fixed order, so that results are
// reproducible.
void scanHead(const HeadScan& head) {
  std::vector<float> change(static_cast<std::size_t>(head.valueDim));
  for (std::int64_t token = 0; token < head.tokens; ++token) {
    const float* const key = head.key + token * head.stride;
    const float* const query = head.query + token * head.stride;
    const float* const value = head.value + token * head.stride;
    const float strength = head.strength[token * head.rateStride];
    float decay = head.decay[token * head.rateStride];
    std::fill(change.begin(), change.end(), 0.0F);
    if (head.deltaRule) {
      decayAndRecall(head.state, decay, key, change.data(), head.keyDim, head.valueDim);
      decay = 1;  // already applied
    }
    for (std::size_t j = 0; j < change.size(); ++j) change[j] = strength * (value[j] - change[j]);
    float* const output = head.output + token * head.outputStride;
    std::fill_n(output, head.valueDim, 0.0F);
    writeAndRead(head.state, decay, key, query, change.data(), output, head.keyDim, head.valueDim);
  }
}

class RecurrentMixer : public Mixer {
 public:
  RecurrentMixer(const RecurrenceSpec& spec, double eps, const Compute& compute, RecurrenceWeights weights)
      : m_spec(spec),
        m_eps(eps),
        m_compute(compute),
        m_weights(std::move(weights)),
        m_queryAt(spec.deltaRule ? 0 : spec.valueRows() + spec.keyRows()),
        m_keyAt(spec.deltaRule ? spec.keyRows() : spec.valueRows()),
        m_valueAt(spec.deltaRule ? 2 * spec.keyRows() : 0),
        m_states(at::zeros({spec.heads, spec.keyDim, spec.valueDim}, at::kFloat)),
        m_before(at::zeros({spec.kernel - 1, spec.channels()}, compute.dtype)) {}

  // Continues after the previous chunk; a chunk at position 0 resets the state.
  at::Tensor run(const MixerInput& input) override {
    const auto [first, rows] = std::pair(input.chunk.first, input.chunk.rows);
    const Chunk chunk = allocate(rows);
    if (first == 0) {
      m_states.zero_();
      m_before.zero_();
    }
    m_statesAfter = m_states.clone();
    chunk.inputs.narrow(0, 0, m_spec.kernel - 1).copy_(m_before);
    forRowBlocks(m_compute.device, rows,
                 [&](std::int64_t row, std::int64_t count) { fill(input, row, count, chunk); });
    forRowBlocks(at::kCPU, rows, [&](std::int64_t row, std::int64_t count) {
      convolve(row, count, chunk);
      rate(row, count, chunk);
    });
    input.checkpoint();
    forEachInParallel(m_spec.heads, [&](std::int64_t head) { scan(head, chunk); });
    input.checkpoint();
    const at::Tensor mixed = at::empty({rows, m_spec.valueRows()}, m_compute.dtype);
    forRowBlocks(at::kCPU, rows, [&](std::int64_t row, std::int64_t count) {
      mixed.narrow(0, row, count).copy_(finished(row, count, chunk));
    });
    m_beforeNext = chunk.inputs.narrow(0, rows, m_spec.kernel - 1).clone();
    return input.chunk.outputs.rowsOf(mixed, first).to(m_compute.device);
  }

  at::Tensor project(const at::Tensor& mixed) const override { return m_weights.output.times(mixed); }

  void chunkDone() override {
    m_states = m_statesAfter;
    m_before = m_beforeNext;
  }

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
  Chunk allocate(std::int64_t rows) const {
    const auto allocated = [&](std::int64_t count, std::int64_t width, c10::ScalarType type) {
      return at::empty({count, width}, at::TensorOptions().dtype(type));
    };
    Chunk chunk;
    chunk.gate = allocated(rows, m_spec.valueRows(), m_compute.dtype);
    chunk.inputs = allocated(m_spec.kernel - 1 + rows, m_spec.channels(), m_compute.dtype);
    chunk.rates = allocated(rows, m_spec.rates(), at::kFloat);
    chunk.operands = allocated(rows, m_spec.channels(), at::kFloat);
    chunk.decays = allocated(rows, m_spec.heads, at::kFloat);
    chunk.strengths = allocated(rows, m_spec.heads, at::kFloat);
    chunk.output = allocated(rows, m_spec.valueRows(), at::kFloat);
    return chunk;
  }

  // Projects rows [row, row + count) of the chunk.
  void fill(const MixerInput& input, std::int64_t row, std::int64_t count, const Chunk& chunk) const {
    const at::Tensor all =
        m_weights.input.times(input.normed(ReadRows::run(input.chunk.first + row, count), {}));
    const std::int64_t gate = m_spec.valueRows(), channels = m_spec.channels();
    chunk.gate.narrow(0, row, count).copy_(all.narrow(1, 0, gate));
    chunk.inputs.narrow(0, m_spec.kernel - 1 + row, count).copy_(all.narrow(1, gate, channels));
    chunk.rates.narrow(0, row, count).copy_(all.narrow(1, gate + channels, m_spec.rates()));
  }

  // Depthwise causal convolution, then SiLU; normalises queries and keys of a delta net.
  void convolve(std::int64_t row, std::int64_t count, const Chunk& chunk) const {
    const at::Tensor inputs = chunk.inputs.narrow(0, row, count + m_spec.kernel - 1).to(at::kFloat);
    at::Tensor operands = chunk.operands.narrow(0, row, count);
    if (m_weights.convolutionBias.defined()) {
      operands.copy_(m_weights.convolutionBias);
    } else {
      operands.zero_();
    }
    for (std::int64_t i = 0; i < m_spec.kernel; ++i)
      operands.addcmul_(inputs.narrow(0, i, count), m_weights.convolution[i]);
    at::silu_(operands);
    if (!m_spec.deltaRule) return;
    constexpr double kEps = 1e-6;
    for (const std::int64_t first : {m_queryAt, m_keyAt}) {
      const at::Tensor heads =
          operands.narrow(1, first, m_spec.keyRows()).unflatten(1, {m_spec.keyHeads, -1});
      heads.mul_(heads.square().sum(-1, /*keepdim=*/true).add_(kEps).rsqrt_());
      if (first == m_queryAt) heads.div_(std::sqrt(static_cast<double>(m_spec.keyDim)));
    }
  }

  // Decay of the states and write strength per token.
  void rate(std::int64_t row, std::int64_t count, const Chunk& chunk) const {
    const at::Tensor rates = chunk.rates.narrow(0, row, count);
    const at::Tensor steps =
        at::softplus(rates.narrow(1, m_spec.rates() - m_spec.heads, m_spec.heads).add(m_weights.stepBias));
    chunk.decays.narrow(0, row, count).copy_(steps.mul(m_weights.decay).exp_());
    chunk.strengths.narrow(0, row, count)
        .copy_(m_spec.deltaRule ? at::sigmoid(rates.narrow(1, 0, m_spec.heads)) : steps);
  }

  void scan(std::int64_t head, const Chunk& chunk) const {
    const std::int64_t keyHead =
        m_spec.cyclicKeys ? head % m_spec.keyHeads : head / (m_spec.heads / m_spec.keyHeads);
    const float* const operands = chunk.operands.data_ptr<float>();
    HeadScan one{};
    one.query = operands + m_queryAt + keyHead * m_spec.keyDim;
    one.key = operands + m_keyAt + keyHead * m_spec.keyDim;
    one.value = operands + m_valueAt + head * m_spec.valueDim;
    one.stride = m_spec.channels();
    one.decay = chunk.decays.data_ptr<float>() + head;
    one.strength = chunk.strengths.data_ptr<float>() + head;
    one.rateStride = m_spec.heads;
    one.output = chunk.output.data_ptr<float>() + head * m_spec.valueDim;
    one.outputStride = m_spec.valueRows();
    one.state = m_statesAfter.data_ptr<float>() + head * m_spec.keyDim * m_spec.valueDim;
    one.keyDim = m_spec.keyDim;
    one.valueDim = m_spec.valueDim;
    one.tokens = chunk.output.size(0);
    one.deltaRule = m_spec.deltaRule;
    scanHead(one);
  }

  // Input of the output projection for rows [row, row + count), in float32.
  at::Tensor finished(std::int64_t row, std::int64_t count, const Chunk& chunk) const {
    at::Tensor output = chunk.output.narrow(0, row, count);
    if (m_weights.skip.defined()) {
      const at::Tensor values = chunk.operands.narrow(0, row, count).narrow(1, m_valueAt, m_spec.valueRows());
      output.unflatten(1, {m_spec.heads, -1})
          .addcmul_(values.unflatten(1, {m_spec.heads, -1}), m_weights.skip.unsqueeze(1));
    }
    const at::Tensor gate = at::silu(chunk.gate.narrow(0, row, count).to(at::kFloat));
    if (m_spec.gateFirst) output = output.mul(gate);
    if (m_weights.norm.defined()) {
      const at::Tensor groups = output.unflatten(1, {-1, m_spec.normedTogether});
      output = normalised(groups, {m_weights.norm, {}}, NormSpec{m_eps}).flatten(1);
    }
    return m_spec.gateFirst ? output : output.mul(gate);
  }

  const RecurrenceSpec& m_spec;
  double m_eps;
  Compute m_compute;
  RecurrenceWeights m_weights;
  std::int64_t m_queryAt, m_keyAt, m_valueAt;  // offsets among the channels
  at::Tensor m_states;                         // [heads, key_dim, value_dim] float32
  at::Tensor m_before;                         // [kernel - 1, channels] inputs before the chunk
  at::Tensor m_statesAfter, m_beforeNext;      // after the last chunk, until chunkDone()
};

// Gated short convolution (RecurrenceSpec::gatedChannels).
class GatedConvolution : public Mixer {
 public:
  GatedConvolution(const RecurrenceSpec& spec, const Compute& compute, RecurrenceWeights weights)
      : m_spec(spec),
        m_compute(compute),
        m_weights(std::move(weights)),
        m_before(at::zeros({spec.kernel - 1, spec.gatedChannels}, options())) {}

  at::Tensor run(const MixerInput& input) override {
    const std::int64_t first = input.chunk.first, rows = input.chunk.rows, width = m_spec.gatedChannels;
    if (first == 0) m_before.zero_();
    const at::Tensor inputs = at::empty({m_spec.kernel - 1 + rows, width}, options());
    const at::Tensor mixed = at::empty({rows, width}, options());
    inputs.narrow(0, 0, m_spec.kernel - 1).copy_(m_before);
    forRowBlocks(m_compute.device, rows, [&](std::int64_t row, std::int64_t count) {
      const at::Tensor all = m_weights.input.times(input.normed(ReadRows::run(first + row, count), {}));
      inputs.narrow(0, m_spec.kernel - 1 + row, count)
          .copy_(all.narrow(1, 0, width).mul(all.narrow(1, 2 * width, width)));
      mixed.narrow(0, row, count).copy_(all.narrow(1, width, width));
    });
    forRowBlocks(m_compute.device, rows, [&](std::int64_t row, std::int64_t count) {
      const at::Tensor wide = inputs.narrow(0, row, count + m_spec.kernel - 1).to(at::kFloat);
      const at::Tensor sum = wide.narrow(0, 0, count).mul(m_weights.convolution[0]);
      for (std::int64_t i = 1; i < m_spec.kernel; ++i)
        sum.addcmul_(wide.narrow(0, i, count), m_weights.convolution[i]);
      mixed.narrow(0, row, count).mul_(sum.to(m_compute.dtype));
    });
    m_beforeNext = inputs.narrow(0, rows, m_spec.kernel - 1).clone();
    return input.chunk.outputs.rowsOf(mixed, first);
  }

  at::Tensor project(const at::Tensor& mixed) const override { return m_weights.output.times(mixed); }
  void chunkDone() override { m_before = m_beforeNext; }
  NamedTensors carried() const override { return {{"inputs", m_before}}; }

 private:
  at::TensorOptions options() const { return at::TensorOptions(m_compute.device).dtype(m_compute.dtype); }

  const RecurrenceSpec& m_spec;
  Compute m_compute;
  RecurrenceWeights m_weights;
  at::Tensor m_before, m_beforeNext;  // [kernel - 1, channels] before the chunk; after the last chunk
};

}  // namespace

std::unique_ptr<Mixer> makeRecurrentMixer(const ModelSpec& spec, const Compute& compute,
                                          LayerWeights& weights) {
  if (spec.recurrence.gatedChannels > 0)
    return std::make_unique<GatedConvolution>(spec.recurrence, compute, std::move(weights.recurrence));
  return std::make_unique<RecurrentMixer>(spec.recurrence, spec.norm.eps, compute,
                                          std::move(weights.recurrence));
}

}  // namespace plastiscope
