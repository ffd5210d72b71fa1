#pragma once
// Moments and bins of a head in every resample of the examples: moments from sums per example, bins with the
// same pairs and resampled weights.
#include <vector>

#include "core/analysis/moments.h"
#include "core/analysis/pair_selection.h"
#include "core/analysis/plasticity.h"
#include "core/analysis/resamples.h"

namespace plastiscope {

// Moments of the rows of a head in every resample. Memory: 8 bytes x resamples x head_dim (head_dim + 5) / 2,
// and about 32 MiB while the sums are formed, or one row of the upper triangle of x x^T per example if that
// is more. Rows and resamples must outlive this object.
class ResampledMoments {
 public:
  ResampledMoments(const VectorRows& rows, const Resamples& resamples);
  // Equals momentsOf() for rows in which those of example e occur times[e] times.
  Moments of(std::int64_t resample) const;

 private:
  Moments twoPass(const std::vector<std::int32_t>& times) const;
  void sumTriangleRows(Eigen::Index from, Eigen::Index to, const Matrix& weights);

  const VectorRows& m_rows;
  const Resamples& m_resamples;
  std::vector<std::size_t> m_order;  // rows by example
  Moments m_whole;
  // [resamples, head_dim (head_dim + 5) / 2] sums over rows with vector x at position t, both relative to
  // their means over all rows. For each dimension i in turn: x_i x_j for all j >= i, then x_i t, then x_i.
  Matrix m_sums;
};

// Multiplicity of each row if those of example e count times[e] times.
std::vector<std::int32_t> timesOfRows(const VectorRows& rows, const std::vector<std::int32_t>& times);

// Weights of pairs in resamples. A pair of keys within example e has weight times[e], one of examples e and f
// times[e] * times[f]: the number of such pairs among copies of the examples, each copy being an example of
// its own. Eligible and evaluated pairs are chosen once, on the whole capture.
class ResampledPairs {
 public:
  ResampledPairs(const PlasticityInput& input, const AnalysisSettings& settings);

  const ChosenPairs& chosen(std::int64_t bin) const { return m_bins[bin].chosen; }
  std::int64_t weightOf(const KeyPair& pair, const std::vector<std::int32_t>& times) const {
    const auto first = static_cast<std::size_t>(m_example[pair.first]);
    const auto second = static_cast<std::size_t>(m_example[pair.second]);
    return first == second ? times[first] : std::int64_t{times[first]} * times[second];
  }
  // Total weight of all eligible pairs of a bin.
  std::int64_t eligiblePairs(std::int64_t bin, const std::vector<std::int32_t>& times) const;

 private:
  struct Bin {
    BinSpace space;
    ChosenPairs chosen;
    std::vector<std::int64_t> within;  // [examples] eligible pairs within each; empty: none
    std::int64_t from = 0, to = 0;     // positions of eligible keys, for pairs across examples
  };
  void countWithin(Bin& bin, const PairSource& source) const;
  std::int64_t pairsAcross(const Bin& bin, const std::vector<std::int32_t>& times) const;

  const PlasticityInput& m_input;
  bool m_across;                        // pair_scope cross_example
  std::int64_t m_maxDistance;           // tokens
  std::vector<std::int64_t> m_example;  // of each key in order
  std::int64_t m_examples = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> m_byPosition;  // (position, example) ascending
  std::vector<Bin> m_bins;
};

// Data shared by the resamples of a head.
struct ResampledWork {
  const AnalysisSettings& settings;
  const ResampledPairs& pairs;
  const Progress& progress;
};

// `models`: query models, one per resample, in the basis of the captured rows. Returns [resample][bin]
// without maps. Memory: about 150 bytes per resample and bin, and the selected pairs.
std::vector<std::vector<BinResult>> resampledBins(const PlasticityInput& input,
                                                  const AnalysisSettings& settings,
                                                  const Resamples& resamples,
                                                  const std::vector<QueryModel>& models,
                                                  const Progress& progress);

}  // namespace plastiscope
