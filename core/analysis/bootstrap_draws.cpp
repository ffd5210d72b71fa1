#include "core/analysis/bootstrap_draws.h"

#include <algorithm>

#include "core/base/random.h"

namespace plastiscope {

namespace {
constexpr std::uint64_t kBootstrapPurpose = 0x62;  // 'b'
}

Resamples drawResamples(std::uint64_t seed, std::int64_t count, std::int64_t examples) {
  Resamples resamples{examples, {}, {}};
  const std::uint64_t purpose = combine(combine(kSeedStart, mix64(seed)), mix64(kBootstrapPurpose));
  for (std::int64_t r = 0; r < count; ++r) {
    PairGenerator generator(combine(purpose, mix64(static_cast<std::uint64_t>(r))));
    std::vector<std::int32_t> times(static_cast<std::size_t>(examples), 0);
    for (std::int64_t i = 0; i < examples; ++i)
      ++times[generator.below(static_cast<std::uint64_t>(examples))];
    resamples.times.push_back(std::move(times));
  }
  return resamples;
}

Resamples leaveOut(std::int64_t examples, std::int64_t groups) {
  const std::vector<std::int32_t> all(static_cast<std::size_t>(examples), 1);
  Resamples resamples{examples, {all}, {0}};
  const std::int64_t count = std::min(groups, examples);
  for (std::int64_t group = 0; group < count; ++group) {
    std::vector<std::int32_t>& times = resamples.times.emplace_back(all);
    std::int64_t& leftOut = resamples.leftOut.emplace_back(0);
    for (std::int64_t e = group; e < examples; e += count, ++leftOut) times[static_cast<std::size_t>(e)] = 0;
  }
  return resamples;
}

}  // namespace plastiscope
