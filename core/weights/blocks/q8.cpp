#include "core/weights/blocks/blocks.h"

namespace plastiscope::blocks {

// Scale (half), 32 signed bytes; value = scale * q.
void q8_0(const std::byte* in, std::int64_t blocks, float* out) {
  for (std::int64_t b = 0; b < blocks; ++b, in += 34, out += 32) {
    const float scale = loadHalf(in);
    for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(load<std::int8_t>(in + 2 + i));
  }
}

}  // namespace plastiscope::blocks
