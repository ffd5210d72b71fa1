#pragma once
// Makes resamples over examples, and estimates from them (method.md, Intervals).
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/settings.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

// Multiplicity of each example in each resample: [resample][example].
struct Resamples {
  std::int64_t examples = 0;
  std::vector<std::vector<std::int32_t>> times;
  // Jackknife: number of examples left out of each resample; the first is the whole and leaves out none.
  // Empty if examples are drawn with replacement.
  std::vector<std::int64_t> leftOut;

  std::int64_t count() const { return std::ssize(times); }
  // The jackknife resample that leaves an example out, see leaveOut(); there must be a group.
  std::size_t leavingOut(std::int64_t example) const {
    return static_cast<std::size_t>(example % (count() - 1)) + 1;
  }
};

// A value for all texts and in every resample of the texts.
struct SampledValue {
  double value = kMissing;
  std::vector<double> resampled;
};

// Resample r draws `examples` ids in sequence, each below(examples), with the generator state chain(seed,
// 0x62, r) (method.md, Random numbers), so that all heads share it.
Resamples drawResamples(std::uint64_t seed, std::int64_t count, std::int64_t examples);

// The whole, then one resample per group without its examples. Own definition: example e belongs to group e
// mod min(groups, examples), so that group sizes differ by at most one and each group has early and late
// examples.
Resamples leaveOut(std::int64_t examples, std::int64_t groups);

// Estimate of a value from its resamples.
struct Estimate {
  double corrected = kMissing;  // bias-corrected; missing without a jackknife
  Interval interval;            // 95 %
};

// The resamples that the settings request; an empty list if none.
Resamples resamplesOf(const AnalysisSettings& settings, std::int64_t examples);

// Treatment of a value's bias: removed, or known to be none.
enum class Bias { Removed, None };

// Computes an estimate from the resamples of a value.
//
// Bootstrap: percentiles 2.5 and 97.5 over the resamples in which it is not missing; missing if there are
// none. A value that is a nonlinear function of a bin's noisy mean is biased and every resample adds the bias
// again, so the percentiles cover the true value too rarely.
//
// Jackknife over G examples in K groups of m_j: T + sum (1 - m_j / G) (T - T_j), T of the whole and T_j
// without group j (Quenouille 1956; for groups Busing, Meijer and van der Leeden 1999), plus and minus
// Student's t of K - 1 degrees of freedom (Tukey 1958) times the root of sum (G / m_j - 1) (T_j - T)^2 / K.
// The squares are around T, which never gives the smaller variance (Efron and Stein 1981). Missing with fewer
// than two groups, or if a T_j is missing.
class Estimator {
 public:
  explicit Estimator(const Resamples& resamples);
  // `values`: [resample]. Bias::None: the estimate of a jackknife is the value of the whole.
  Estimate of(std::span<const double> values, Bias bias = Bias::Removed) const;

 private:
  bool m_jackknife;
  std::vector<double> m_bias, m_variance;  // [resample] factors of T - T_j and of its square
  double m_student = kMissing;
};

}  // namespace plastiscope
