#pragma once
// What falls when plasticity falls with position: where RoPE puts the vectors (placement), or what they are
// (content); and what fixes the order of two keys: their positions or their salience
// (resources/help/aligned.md).
#include <array>
#include <string>
#include <vector>

#include "core/analysis/aligned_plasticity.h"

namespace plastiscope {

// A number and its values in every resample of the texts.
struct SampledValue {
  double value = kMissing;
  std::vector<double> resampled;
};

// Un-rotated rows of one kind at the positions of a bin.
struct UnrotatedBin {
  std::int64_t rows = 0;
  double meanNorm = kMissing, totalVariance = kMissing;  // trace of the covariance, ddof 1
  double participation = kMissing;                       // (tr C)^2 / tr C^2
  // How far their mean lies from that of the first valid bin, signed: the square root of the product of the
  // differences in texts of even and odd number, which noise does not lengthen.
  double meanDrift = kMissing;
};

struct Placement {
  std::vector<std::int64_t> bins;  // valid ones, ascending
  // AP of the queries and key pairs of bin u (rows) put where bin v (columns) is: [bins, bins].
  Matrix ap;
  SampledValue placement, content, ends;  // ends = placement + content: first valid bin less the last
  std::vector<UnrotatedBin> query, key;   // of every bin of the grid
};

// Un-rotated content of the queries and key pairs of every valid bin, put where every other one is: queries at
// the midpoint of v, a key at share r of its prefix at round(r * start of v). `aligned`: of the same input.
// Nothing where aligned values are missing.
Placement placementOf(const PlasticityInput& input, const AnalysisSettings& settings,
                      const AlignedPlasticity& aligned, const Resamples& resamples, const Progress& progress);

// Mean-field score of a key some tokens before the query beside the measured scores.
struct DistanceScore {
  std::int64_t distance = 0;                           // tokens; the next row's ends the range
  double meanField = kMissing;                         // scale m_q . R(-D) m_k
  double measured = kMissing, meanFieldMean = kMissing;  // means over measured pairs of the range, and of the
                                                         // mean field at their distances
  std::int64_t pairs = 0;
};

struct PositionShare {
  double variance = kMissing, linear = kMissing;  // shares of the variance of the rows
};

struct Salience {
  SampledValue same, one;           // AP with both keys at one position; with one vector at both
  SampledValue position, salience;  // Shapley values of the rigidity 1 - AP
  std::vector<DistanceScore> scores;
  PositionShare query, key;  // of R(t) m: total, and linear in position
};

Salience salienceOf(const PlasticityInput& input, const AnalysisSettings& settings,
                    const AlignedPlasticity& aligned, const Resamples& resamples, const Progress& progress);

}  // namespace plastiscope
