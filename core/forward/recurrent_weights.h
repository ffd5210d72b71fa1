#pragma once
// The weights of a recurrence in one form for all families.
#include <ATen/core/Tensor.h>

#include "core/forward/layer_reader.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// What is undefined is not in the model. All but the two matrices are float32 on the CPU.
struct RecurrenceWeights {
  // [RecurrenceSpec::inputRows(), hidden]: the gate; what the convolution gets (delta net: queries, keys,
  // values; Mamba 2: values, keys, queries); the strengths of a delta net; the steps.
  at::Tensor input;
  at::Tensor output;                        // [hidden, value_rows]
  at::Tensor convolution, convolutionBias;  // [kernel, channels], [channels]
  at::Tensor decay;                         // [heads] negative, for a step of length 1
  at::Tensor stepBias, skip;                // [heads]
  at::Tensor norm;                          // [1 or groups, numbers normed together]
};

// Takes the tensors out of a layer: first asks for them, then, after LayerReader::readAll, gives them their
// form.
class RecurrenceReader {
 public:
  RecurrenceReader(LayerReader& reader, const RecurrenceSpec& spec);
  RecurrenceWeights weights() const;

 private:
  const RecurrenceSpec& m_spec;
  at::Tensor m_input, m_rates;  // as in the file
  bool m_operandsByKeyHead, m_ratesByKeyHead, m_decayIsLog;
  RecurrenceWeights m_read;
};

}  // namespace plastiscope
