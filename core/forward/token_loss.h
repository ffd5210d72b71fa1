#pragma once
// How surprised the model is by each token of a text: the last norm, the scores of the vocabulary in blocks,
// and the negative log-likelihood of the token that follows.
#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "core/forward/device.h"
#include "core/model/output_head.h"

namespace plastiscope {

// Rows of the output matrix that are read and multiplied at a time, and rows of a text where a device has no
// blocks of its own.
inline constexpr std::int64_t kHeadRows = 8192, kLossRows = 2048;

class TokenLoss {
 public:
  TokenLoss(const Model& model, const Compute& compute);
  // hidden [tokens, hidden], which is normed in place -> [tokens]: entry t is -ln p(token t | those before
  // it), nats; the first, of which nothing is said, is NaN. `checkpoint` is called between blocks and may
  // throw to stop.
  std::vector<float> of(const at::Tensor& hidden, const std::vector<std::int32_t>& tokens,
                        const std::function<void()>& checkpoint) const;

 private:
  at::Tensor rowsOf(std::int64_t first, std::int64_t count) const;

  const Model& m_model;
  Compute m_compute;
  OutputHead m_head;
};

}  // namespace plastiscope
