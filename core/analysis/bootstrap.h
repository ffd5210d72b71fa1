#pragma once
// 95 % intervals of everything measured, from resamples over examples (method.md section 6).
#include <span>
#include <string>
#include <vector>

#include "core/analysis/bootstrap_draws.h"
#include "core/analysis/head_analysis.h"
#include "core/analysis/statistics.h"
#include "core/base/table.h"

namespace plastiscope {

// Percentiles 2.5 and 97.5 of a value over the resamples in which it is not missing; missing when there are
// none.
struct Interval {
  double low = kMissing, high = kMissing;
};

Interval intervalOf(std::span<const double> values);

// One head in every resample.
struct HeadSamples {
  std::vector<std::vector<double>> values;  // what heads.csv measures: [column][resample]
  std::vector<Interval> profile;            // of the AP of every bin
};

// The columns of heads.csv that have an interval, in its order: every measured one but residual_pos_r, which
// tests rounding.
std::vector<std::string> sampledColumns();

// A resample is what analysing the capture with the rows of example e repeated times[e] times would give,
// each copy an example of its own, with the same grid of bins and the same selected pairs. InputError when a
// row belongs to an example that the resamples do not know; Stopped.
HeadSamples bootstrapHead(const HeadPlace& place, const CaptureFrame& frame, const KindRows& query,
                          const KeySide& key, const BinGrid& grid, const AnalysisSettings& settings,
                          const Resamples& resamples, const Progress& progress);

// Adds COLUMN_low and COLUMN_high (percentiles 2.5 and 97.5) to heads, layers and model, and to the AP of
// profile. A resample serves all heads at once, so the means over heads vary as a whole does. A value that is
// missing has no interval; resamples in which a value is missing are left out.
void addIntervals(std::vector<Table>& tables, const std::vector<HeadSamples>& samples);

// Adds COLUMN_sd (divisor n - 1) and COLUMN_se = sd / sqrt(n) over heads to the table model: how far the
// choice of heads moves a mean.
void addHeadSpread(std::vector<Table>& tables);

}  // namespace plastiscope
