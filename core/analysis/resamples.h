#pragma once
// Resamples over examples, and the estimates that they give of a value (method.md, Intervals).
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/settings.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

// How often each example is drawn in each resample: [resample][example].
struct Resamples {
  std::int64_t examples = 0;
  std::vector<std::vector<std::int32_t>> times;
  // Of a jackknife: how many examples each resample leaves out; the first is the whole and leaves out none.
  // Empty where examples are drawn with replacement.
  std::vector<std::int64_t> leftOut;

  std::int64_t count() const { return static_cast<std::int64_t>(times.size()); }
  // The resample of a jackknife that leaves an example out, see leaveOut(); there must be a group.
  std::size_t leavingOut(std::int64_t example) const {
    return static_cast<std::size_t>(example % (count() - 1)) + 1;
  }
};

// Resample r draws `examples` ids one after the other, each below(examples), with the generator state
// chain(seed, 0x62, r) (method.md, Random numbers). It depends on nothing else, so all heads share it.
Resamples drawResamples(std::uint64_t seed, std::int64_t count, std::int64_t examples);

// The whole, then one resample a group without its examples. Own definition: example e belongs to group
// e mod min(groups, examples), so that groups differ by one example at most and each has some of the
// beginning and of the end.
Resamples leaveOut(std::int64_t examples, std::int64_t groups);

// What the resamples say about a value.
struct Estimate {
  double corrected = kMissing;  // for bias; missing without a jackknife
  Interval interval;            // 95 %
};

// The resamples that the settings ask for; none: an empty list.
Resamples resamplesOf(const AnalysisSettings& settings, std::int64_t examples);

// How a value's bias is treated: taken out, or known to be none.
enum class Bias { Removed, None };

// How the resamples of a value become its estimate.
//
// Of a bootstrap: percentiles 2.5 and 97.5 over the resamples in which it is not missing; missing when there
// are none. A value that is curved in the noise of a bin's mean is biased, every resample is biased once
// more, and the percentiles hold the truth too rarely.
//
// Of a jackknife over G examples in K groups of m_j: T + sum (1 - m_j / G) (T - T_j), T of the whole and T_j
// without group j (Quenouille 1956; for groups Busing, Meijer and van der Leeden 1999), and about it
// Student's t of K - 1 degrees of freedom (Tukey 1958) times the root of sum (G / m_j - 1) (T_j - T)^2 / K,
// the squares around T, which never is the smaller variance (Efron and Stein 1981). Missing with fewer than
// two groups, and where a T_j is missing.
class Estimator {
 public:
  explicit Estimator(const Resamples& resamples);
  // values: [resample]. Bias::None: the estimate of a jackknife is the value of the whole.
  Estimate of(std::span<const double> values, Bias bias = Bias::Removed) const;

 private:
  bool m_jackknife;
  std::vector<double> m_bias, m_variance;  // [resample] factors of T - T_j and of its square
  double m_student = kMissing;
};

}  // namespace plastiscope
