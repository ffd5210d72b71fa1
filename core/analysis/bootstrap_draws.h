#pragma once
// Which examples a resample draws (method.md section 6).
#include <cstdint>
#include <vector>

namespace plastiscope {

// How often each example is drawn in each resample: [resample][example].
struct Resamples {
  std::int64_t examples = 0;
  std::vector<std::vector<std::int32_t>> times;

  std::int64_t count() const { return static_cast<std::int64_t>(times.size()); }
};

// Own definition: resample r draws `examples` ids one after the other, each below(examples) of the generator
// of method.md 4.7 with state combine(combine(combine(0x243F6A8885A308D3, mix64(seed)), mix64(0x62)),
// mix64(r)). It depends on nothing else, so all heads share it.
Resamples drawResamples(std::uint64_t seed, std::int64_t count, std::int64_t examples);

}  // namespace plastiscope
