#pragma once
// Computes 95 % intervals and bias-corrected estimates of all measured values from resamples over examples
// (method.md, Intervals).
#include <vector>

#include "core/analysis/head_analysis.h"
#include "core/analysis/loss_summary.h"
#include "core/analysis/resamples.h"
#include "core/analysis/statistics.h"
#include "core/base/table.h"

namespace plastiscope {

// Values of one head in every resample.
struct HeadSamples {
  // Values of the columns of sampledColumns(): [column][resample]; empty for a column that was not sampled.
  std::vector<std::vector<double>> values;
  std::vector<Estimate> profile;                 // of AP per bin; empty if not sampled
  std::vector<Estimate> alignedProfile;          // of aligned AP per aligned bin
  std::vector<std::vector<double>> alignedBins;  // [aligned bin][resample]
  std::vector<std::vector<double>> diagnostics =
      {};  // [real column of the table][resample]; empty: not sampled
};

// A resample equals the analysis of the capture with the rows of example e repeated times[e] times, each copy
// an example of its own, with the same grid of bins and the same selected pairs. In jackknife resamples the
// bins of the whole stay valid, whatever the thresholds; a bin that cannot be evaluated without a group keeps
// the value of the whole. InputError if a row belongs to an unknown example; Stopped.
HeadSamples bootstrapHead(const HeadInput& input, const Resamples& resamples);

// Samples of the columns over texts only, from the values without each group in `result`; missing if it has
// none.
HeadSamples alignedSamples(const HeadResult& result, const AnalysisSettings& settings,
                           const Resamples& groups);

// The diagnostics of a head without each group of texts, from a new analysis for each.
std::vector<std::vector<double>> diagnosticsSamples(const HeadInput& input, const HeadResult& whole,
                                                    const Resamples& groups);

// Writes the jackknife's corrected estimates into the results: sampled columns, AP of the bins and their
// summaries.
void correctHeads(std::vector<HeadResult>& heads, const std::vector<HeadSamples>& samples,
                  const Estimator& estimator, const AnalysisSettings& settings);
// Adds COLUMN_plain, the uncorrected value, to heads, layers and model, and to the AP of profile.
void addPlain(std::vector<Table>& tables, const std::vector<HeadResult>& plain);

// Adds COLUMN_low and COLUMN_high for sampled columns to heads, layers and model, and to the AP of profile
// and profile_aligned. `overTexts`: only columns that have an interval in every analysis. A resample applies
// to all heads at once, so means over heads vary accordingly. Missing values have no interval.
void addIntervals(std::vector<Table>& tables, const std::vector<HeadSamples>& samples,
                  const Estimator& estimator, bool overTexts = false);
// Adds the jackknife's intervals to the losses.
void addLossIntervals(std::vector<Table>& tables, const std::vector<LossSummary>& ofTexts,
                      const Resamples& groups);
// Copies the intervals over texts from an earlier analysis whose aligned values were reused.
void keepTextIntervals(std::vector<Table>& tables, const std::vector<Table>& earlier);
// The table without the columns added by addPlain() and addIntervals().
Table withoutEstimates(Table table);

// Adds COLUMN_sd (divisor n - 1) and COLUMN_se = sd / sqrt(n) over heads to the table model: the sampling
// error of the choice of heads.
void addHeadSpread(std::vector<Table>& tables);

}  // namespace plastiscope
