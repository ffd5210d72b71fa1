#include <algorithm>
#include <array>

#include "core/weights/blocks/blocks.h"

namespace plastiscope::blocks {

void f16(const std::byte* in, std::int64_t count, float* out) {
  std::array<std::uint16_t, 1024> aligned{};  // the file's bytes may stand at odd addresses
  for (std::int64_t done = 0; done < count;) {
    const auto n = static_cast<std::size_t>(std::min<std::int64_t>(count - done, aligned.size()));
    std::memcpy(aligned.data(), in + done * 2, n * 2);
    halfToFloat(std::span(aligned.data(), n), std::span(out + done, n));
    done += static_cast<std::int64_t>(n);
  }
}

void bf16(const std::byte* in, std::int64_t count, float* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = std::bit_cast<float>(static_cast<std::uint32_t>(load<std::uint16_t>(in + i * 2)) << 16);
  }
}

}  // namespace plastiscope::blocks
