#include "core/analysis/resamples.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"

namespace plastiscope {

namespace {

constexpr std::uint64_t kBootstrapPurpose = 0x62;  // 'b'
constexpr double kCoverage = 0.95;

}  // namespace

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
    for (std::int64_t e = group; e < examples; e += count, ++leftOut) times[e] = 0;
  }
  return resamples;
}

Resamples resamplesOf(const AnalysisSettings& settings, std::int64_t examples) {
  return settings.leavesOut() ? leaveOut(examples, settings.jackknifeGroups)
                              : drawResamples(settings.seed, settings.bootstrap, examples);
}

Estimator::Estimator(const Resamples& resamples) : m_jackknife(!resamples.leftOut.empty()) {
  const auto groups = static_cast<int>(resamples.leftOut.size()) - 1;
  if (groups < 2) return;
  for (const std::int64_t leftOut : resamples.leftOut) {
    const double share = static_cast<double>(leftOut) / static_cast<double>(resamples.examples);
    m_bias.push_back(1 - share);
    m_variance.push_back(leftOut > 0 ? (1 / share - 1) / groups : 0);
  }
  m_student = studentQuantile(groups - 1, kCoverage);
}

Estimate Estimator::of(std::span<const double> values, Bias rule) const {
  if (!m_jackknife) return {kMissing, percentileInterval(values)};
  if (values.empty() || m_bias.size() != values.size()) return {};  // fewer than two groups
  double bias = 0, variance = 0;
  for (std::size_t group = 1; group < values.size(); ++group) {
    const double apart = values[0] - values[group];
    bias += m_bias[group] * apart;
    variance += m_variance[group] * apart * apart;
  }
  const double corrected = values[0] + (rule == Bias::Removed ? bias : 0),
               half = m_student * std::sqrt(variance);
  return {corrected, {corrected - half, corrected + half}};
}

}  // namespace plastiscope
