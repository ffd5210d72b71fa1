#pragma once
// Aligned plasticity (thesis, definitions 4.1 to 4.3; resources/help/aligned.md): the queries of a bin are
// rotated to its midpoint before they are compared, so that position does not count as content.
#include <string>
#include <vector>

#include "core/analysis/ap_summary.h"
#include "core/analysis/bins.h"
#include "core/analysis/disagreement.h"
#include "core/analysis/plasticity.h"
#include "core/analysis/position_rotation.h"
#include "core/analysis/resamples.h"

namespace plastiscope {

struct AlignedPlasticity {
  std::string missing;                // why there are no values; "" if there are
  std::vector<BinResult> bins;        // of the aligned grid; ap: of the aligned queries
  std::vector<double> positionAlone;  // [bins] AP if content never changed
  std::vector<MapCellSum> cells;
  ApSummary summary;  // equal weights of bins
  double coverage = kMissing, positionAloneMean = kMissing;
  std::vector<std::vector<double>> resampled;  // [resample][bin] AP; empty without values

  // The bin that contains the position; null if there is none.
  const BinResult* binAt(double position) const;
};

// The summary of the bins' AP in one resample of the texts.
ApSummary resampledSummary(const AlignedPlasticity& aligned, std::size_t resample, std::int64_t window,
                           const AnalysisSettings& settings);

// Number of aligned bins for bins = density: 32, or fewer so that each has twice min_queries on average.
// `queryRows`: over all `heads`.
std::int64_t alignedBinCount(std::int64_t queryRows, std::int64_t heads, std::int64_t minQueries);
// The grid of the aligned values: its own with bins = density, else that of the binned ones.
BinGrid alignedGrid(const AnalysisSettings& settings, const CaptureFrame& frame, const BinGrid& binned);

// f(tau) / f(t) R(tau - t) q for the query rows `which`, from their un-rotated vectors.
Matrix alignedQueries(const VectorRows& query, const Matrix& unrotated, const PositionRotation& rotation,
                      std::span<const std::int64_t> which, double tau);
// The rows of a bin sorted by text; `texts` receives the number of rows of each text.
std::vector<std::int64_t> gatheredByText(const VectorRows& query, std::span<const std::int64_t> rows,
                                         std::vector<TextQueries>& texts);

// input.grid: the aligned grid; the query model is not used. Includes the AP of every resample of the texts;
// a bin that cannot be evaluated without a jackknife group keeps the value of all texts. Stopped.
AlignedPlasticity alignedPlasticityOf(const PlasticityInput& input, const AnalysisSettings& settings,
                                      const Resamples& resamples, const Progress& progress);

}  // namespace plastiscope
