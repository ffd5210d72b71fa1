#pragma once
// Computes moments of one kind's rows for every resample of the examples, from sums per example.
#include <span>

#include "core/analysis/moments.h"
#include "core/analysis/resamples.h"

namespace plastiscope {

// Memory: 8 bytes x resamples x (head_dim (head_dim + 5) / 2), and about 32 MiB while summing (at least one
// triangle row for every example). Rows and resamples must outlive it.
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
  // [resamples, packed]: for every dimension i, the sums of x_i x_j for j >= i, of x_i t and of x_i, with x
  // and t relative to their means over all rows.
  Matrix m_sums;
};

}  // namespace plastiscope
