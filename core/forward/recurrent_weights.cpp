#include "core/forward/recurrent_weights.h"

#include <ATen/ops/cat.h>

#include <vector>

namespace plastiscope {

namespace {

using enum TensorRole;

// Rows that lie key head by key head, each with parts of these sizes: the parts of all key heads together, in
// this order.
at::Tensor ungrouped(const at::Tensor& rows, std::int64_t keyHeads, const std::vector<std::int64_t>& sizes,
                     const std::vector<std::size_t>& order) {
  const auto parts = rows.unflatten(0, {keyHeads, -1}).split_with_sizes(sizes, 1);
  std::vector<at::Tensor> ordered;
  for (const std::size_t part : order) ordered.push_back(parts[part].flatten(0, 1));
  return at::cat(ordered);
}

}  // namespace

RecurrenceReader::RecurrenceReader(LayerReader& reader, const RecurrenceSpec& spec)
    : m_spec(spec),
      m_operandsByKeyHead(reader.has(StateOperandsGate)),
      m_ratesByKeyHead(reader.has(StateRates)),
      m_decayIsLog(reader.has(StateDecayLog)) {
  if (reader.has(StateInput)) {
    m_input = reader.tensor(StateInput);
  } else {
    m_input = m_operandsByKeyHead ? reader.tensor(StateOperandsGate)
                                  : reader.stacked({StateGate, StateOperands}, {});
    m_rates = m_ratesByKeyHead ? reader.tensor(StateRates) : reader.stacked({StateStrengths, StateSteps}, {});
  }
  m_read.output = reader.tensor(StateOutput);
  m_read.convolution = reader.floats(StateConvolution);
  m_read.convolutionBias = reader.floats(StateConvolutionBias);
  m_read.decay = reader.floats(m_decayIsLog ? StateDecayLog : StateDecay);
  m_read.stepBias = reader.floats(StateStepBias);
  m_read.skip = reader.floats(StateSkip);
  m_read.norm = reader.floats(StateNorm);
}

RecurrenceWeights RecurrenceReader::weights() const {
  RecurrenceWeights weights = m_read;
  const std::int64_t keyDim = m_spec.keyDim, keyHeads = m_spec.keyHeads, heads = m_spec.heads / keyHeads;
  weights.input = m_input;
  if (m_operandsByKeyHead) {
    const std::int64_t valueRows = heads * m_spec.valueDim;
    weights.input = ungrouped(m_input, keyHeads, {keyDim, keyDim, valueRows, valueRows}, {3, 0, 1, 2});
  }
  if (m_rates.defined()) {
    const at::Tensor rates =
        m_ratesByKeyHead ? ungrouped(m_rates, keyHeads, {heads, heads}, {0, 1}) : m_rates;
    weights.input = at::cat({weights.input, rates});
  }
  weights.convolution = weights.convolution.view({-1, m_spec.kernel}).t().contiguous().cpu();
  weights.decay = weights.decay.flatten().cpu();
  if (m_decayIsLog) weights.decay = weights.decay.exp().neg();
  weights.stepBias = weights.stepBias.cpu();
  if (weights.convolutionBias.defined()) weights.convolutionBias = weights.convolutionBias.cpu();
  if (weights.skip.defined()) weights.skip = weights.skip.flatten().cpu();
  if (weights.norm.defined()) weights.norm = weights.norm.view({-1, m_spec.normedTogether}).cpu();
  return weights;
}

}  // namespace plastiscope
