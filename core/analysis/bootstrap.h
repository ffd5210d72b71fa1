#pragma once
// 95 % intervals and bias-corrected estimates of everything measured, from resamples over examples (method.md
// section 6).
#include <span>
#include <string>
#include <vector>

#include "core/analysis/bootstrap_draws.h"
#include "core/analysis/head_analysis.h"
#include "core/analysis/statistics.h"
#include "core/base/table.h"

namespace plastiscope {

// What the resamples say about a value.
struct Estimate {
  double corrected = kMissing;  // for bias; missing without a jackknife
  Interval interval;            // 95 %
};

// The resamples that the settings ask for; none: an empty list.
Resamples resamplesOf(const AnalysisSettings& settings, std::int64_t examples);

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
  Estimate of(std::span<const double> values) const;  // [resample]

 private:
  bool m_jackknife;
  std::vector<double> m_bias, m_variance;  // [resample] factors of T - T_j and of its square
  double m_student = kMissing;
};

// One head in every resample.
struct HeadSamples {
  std::vector<std::vector<double>> values;  // what heads.csv measures: [column][resample]
  std::vector<Estimate> profile;            // of the AP of every bin
};

// A resample is what analysing the capture with the rows of example e repeated times[e] times would give,
// each copy an example of its own, with the same grid of bins and the same selected pairs. Those of a
// jackknife have the bins of the whole at their places, whatever the thresholds say; a bin that cannot be
// valued without a group keeps the value of the whole. InputError when a row belongs to an example that the
// resamples do not know; Stopped.
HeadSamples bootstrapHead(const HeadPlace& place, const CaptureFrame& frame, const KindRows& query,
                          const KeySide& key, const BinGrid& grid, const AnalysisSettings& settings,
                          const Resamples& resamples, const Progress& progress);

// Puts the corrected estimates of a jackknife into the results: sampled columns, AP of the bins and what is
// made of it.
void correctHeads(std::vector<HeadResult>& heads, const std::vector<HeadSamples>& samples,
                  const Estimator& estimator, const AnalysisSettings& settings);
// Adds COLUMN_plain, the value as it was before, to heads, layers and model, and to the AP of profile.
void addPlain(std::vector<Table>& tables, const std::vector<HeadResult>& plain);

// Adds COLUMN_low and COLUMN_high to heads, layers and model, and to the AP of profile. A resample serves all
// heads at once, so the means over heads vary as a whole does. A value that is missing has no interval.
void addIntervals(std::vector<Table>& tables, const std::vector<HeadSamples>& samples,
                  const Estimator& estimator);
// The table without what the two above add.
Table withoutEstimates(Table table);

// Adds COLUMN_sd (divisor n - 1) and COLUMN_se = sd / sqrt(n) over heads to the table model: how far the
// choice of heads moves a mean.
void addHeadSpread(std::vector<Table>& tables);

}  // namespace plastiscope
