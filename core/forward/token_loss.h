#pragma once
// Token losses of a text: final norm, logits in blocks of the vocabulary, negative log-likelihood of the next
// token.
#include <ATen/core/Tensor.h>
#include <functional>
#include <vector>

#include "core/forward/device.h"
#include "core/forward/forward.h"
#include "core/model/model.h"

namespace plastiscope {

// Rows of the output matrix processed at a time, and rows of a text per block on devices without row blocks.
inline constexpr std::int64_t kHeadRows = 8192, kLossRows = 2048;

// hidden [tokens, ModelSpec::stateWidth()] -> [tokens]: entry t is -ln p(token t | previous tokens)
// in nats; NaN for the first. `checkpoint` is called between blocks and may throw to stop.
std::vector<float> tokenLosses(const Model& model, const Compute& compute, const at::Tensor& hidden,
                               const std::vector<std::int32_t>& tokens,
                               const std::function<void()>& checkpoint);

// The same for the tokens at `positions` (above 0, ascending), with their ranks: [positions].
std::vector<TokenOutcome> tokenOutcomes(const Model& model, const Compute& compute, const at::Tensor& hidden,
                                        const std::vector<std::int32_t>& tokens,
                                        const std::vector<std::int32_t>& positions,
                                        const std::function<void()>& checkpoint);

}  // namespace plastiscope
