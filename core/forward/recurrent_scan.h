#pragma once
// The state of one head of a recurrence, token after token, in float32.
#include <cstdint>

namespace plastiscope {

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
