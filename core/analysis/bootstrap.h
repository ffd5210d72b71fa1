#pragma once
// 95 % intervals and bias-corrected estimates of all measured values, from resamples over examples
// (method.md, Intervals).
#include <span>
#include <string>
#include <vector>

#include "core/analysis/head_analysis.h"
#include "core/analysis/loss_summary.h"
#include "core/analysis/resamples.h"
#include "core/analysis/statistics.h"
#include "core/base/table.h"

namespace plastiscope {

// One head in every resample.
struct HeadSamples {
  // Values of the columns of sampledColumns(): [column][resample]; empty for a column that was not sampled.
  std::vector<std::vector<double>> values;
  std::vector<Estimate> profile;                 // of the AP of every bin; empty likewise
  std::vector<Estimate> alignedProfile;          // of the aligned AP of every aligned bin
  std::vector<std::vector<double>> alignedBins;  // [aligned bin][resample]
  std::vector<std::vector<double>> diagnostics =
      {};  // [real column of the table][resample]; empty: not sampled
};

// A resample is what analysing the capture with the rows of example e repeated times[e] times would give,
// each copy an example of its own, with the same grid of bins and the same selected pairs. Those of a
// jackknife have the bins of the whole at their places, whatever the thresholds say; a bin that cannot be
// valued without a group keeps the value of the whole. InputError when a row belongs to an example that the
// resamples do not know; Stopped.
HeadSamples bootstrapHead(const HeadInput& input, const Resamples& resamples);

// The columns over texts alone, from what `result` holds of the groups; missing where it has none.
HeadSamples alignedSamples(const HeadResult& result, const AnalysisSettings& settings,
                           const Resamples& groups);

// The diagnostics of a head without each group of texts: it is analysed anew for every one.
std::vector<std::vector<double>> diagnosticsSamples(const HeadInput& input, const HeadResult& whole,
                                                    const Resamples& groups);

// Puts the corrected estimates of a jackknife into the results: sampled columns, AP of the bins and what is
// made of it.
void correctHeads(std::vector<HeadResult>& heads, const std::vector<HeadSamples>& samples,
                  const Estimator& estimator, const AnalysisSettings& settings);
// Adds COLUMN_plain, the value as it was before, to heads, layers and model, and to the AP of profile.
void addPlain(std::vector<Table>& tables, const std::vector<HeadResult>& plain);

// Adds COLUMN_low and COLUMN_high to heads, layers and model, and to the AP of profile and profile_aligned,
// of columns that were sampled; `overTexts`: only of those that have an interval in every analysis. A
// resample serves all heads at once, so the means over heads vary as a whole does. A value that is missing
// has no interval.
void addIntervals(std::vector<Table>& tables, const std::vector<HeadSamples>& samples,
                  const Estimator& estimator, bool overTexts = false);
// Adds the jackknife's intervals to the losses.
void addLossIntervals(std::vector<Table>& tables, const std::vector<LossSummary>& ofTexts,
                      const Resamples& groups);
// Takes the intervals over texts from an earlier analysis whose aligned values were kept.
void keepTextIntervals(std::vector<Table>& tables, const std::vector<Table>& earlier);
// The table without what the two above add.
Table withoutEstimates(Table table);

// Adds COLUMN_sd (divisor n - 1) and COLUMN_se = sd / sqrt(n) over heads to the table model: how far the
// choice of heads moves a mean.
void addHeadSpread(std::vector<Table>& tables);

}  // namespace plastiscope
