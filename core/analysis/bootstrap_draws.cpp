#include "core/analysis/bootstrap_draws.h"

#include "core/base/random.h"

namespace plastiscope {

namespace {
constexpr std::uint64_t kPurpose = 0x62;  // 'b'
}

Resamples drawResamples(std::uint64_t seed, std::int64_t count, std::int64_t examples) {
  Resamples resamples{examples, {}};
  const std::uint64_t purpose = combine(combine(kSeedStart, mix64(seed)), mix64(kPurpose));
  for (std::int64_t r = 0; r < count; ++r) {
    PairGenerator generator(combine(purpose, mix64(static_cast<std::uint64_t>(r))));
    std::vector<std::int32_t> times(static_cast<std::size_t>(examples), 0);
    for (std::int64_t i = 0; i < examples; ++i)
      ++times[generator.below(static_cast<std::uint64_t>(examples))];
    resamples.times.push_back(std::move(times));
  }
  return resamples;
}

}  // namespace plastiscope
