#pragma once
// Splits the fall of plasticity with position into placement (where RoPE puts the vectors) and content (what
// they are), and the fixed order of two keys into the parts of their positions and their salience
// (resources/help/aligned.md).
#include <vector>

#include "core/analysis/aligned_plasticity.h"

namespace plastiscope {

// Un-rotated rows of one kind at the positions of a bin.
struct UnrotatedBin {
  std::int64_t rows = 0;
  double meanNorm = kMissing, totalVariance = kMissing;  // trace of the covariance, ddof 1
  double participation = kMissing;                       // (tr C)^2 / tr C^2
  // Signed distance of their mean from that of the first valid bin: the square root of the product of the
  // differences in even- and odd-numbered texts, which noise does not bias upwards.
  double meanDrift = kMissing;
};

struct Placement {
  std::vector<std::int64_t> bins;  // valid ones, ascending
  // AP of the queries and key pairs of bin u (rows) moved to bin v (columns): [bins, bins].
  Matrix ap;
  SampledValue placement, content, ends;  // ends = placement + content: first minus last valid bin
  std::vector<UnrotatedBin> query, key;   // for every bin of the grid
};

// Moves the un-rotated queries and key pairs of every valid bin to every other one: queries to the midpoint
// of v, a key at share r of its prefix to round(r * start of v). `aligned`: of the same input. Returns
// nothing if aligned values are missing.
Placement placementOf(const PlasticityInput& input, const AnalysisSettings& settings,
                      const AlignedPlasticity& aligned, const Resamples& resamples, const Progress& progress);

// Mean-field score of a key some tokens before the query, with the measured scores.
struct DistanceScore {
  std::int64_t distance = 0;                             // tokens; start of a range up to the next row's
  double meanField = kMissing;                           // scale m_q . R(-D) m_k
  double measured = kMissing, meanFieldMean = kMissing;  // means over measured pairs of the range, and of the
                                                         // mean field at their distances
  std::int64_t pairs = 0;
};

struct PositionShare {
  double variance = kMissing, linear = kMissing;  // shares of the variance of the rows
};

struct Salience {
  SampledValue same, one;           // AP with both keys at one position; with one vector at both positions
  SampledValue position, salience;  // Shapley values of the rigidity 1 - AP
  std::vector<DistanceScore> scores;
  PositionShare query, key;  // for R(t) m: total, and linear in position
};

Salience salienceOf(const PlasticityInput& input, const AnalysisSettings& settings,
                    const AlignedPlasticity& aligned, const Resamples& resamples, const Progress& progress);

}  // namespace plastiscope
