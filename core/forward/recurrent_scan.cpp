#include "core/forward/recurrent_scan.h"

#include <algorithm>
#include <vector>

namespace plastiscope {

namespace {

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

}  // namespace

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
      decay = 1;  // done
    }
    for (std::size_t j = 0; j < change.size(); ++j) change[j] = strength * (value[j] - change[j]);
    float* const output = head.output + token * head.outputStride;
    std::fill_n(output, head.valueDim, 0.0F);
    writeAndRead(head.state, decay, key, query, change.data(), output, head.keyDim, head.valueDim);
  }
}

}  // namespace plastiscope
