#pragma once
// How open the preference of a bin's queries between two keys is: the variance modes of method.md 4.5.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/matrix.h"
#include "core/analysis/pair_kernels.h"

namespace plastiscope {

// The queries of one bin as `thesis` sees them: a drift line on coordinate 1, means and variances of the
// others.
struct BinDrift {
  double onDrift = 0;  // alpha_pos + beta_pos * tau: expected coordinate 1
  Vector mean;         // [head_dim], mu_b; coordinate 1 is not used
  Vector variance;     // [head_dim], s_b^2 (ddof 1); coordinate 1 is not used
};

// What a mode may need about one bin.
struct BinQueries {
  Matrix rows;               // [n_b, head_dim], not reflected
  BinDrift drift;            // in reflected coordinates
  double driftVariance = 0;  // sigma_pos^2
  double meanSquare = 0;     // mean of |q_n|^2
};

// Key rows in their order: what pairs index.
struct KeySides {
  const Matrix* plain;      // [keys, head_dim]
  const Matrix* reflected;  // [keys, head_dim]
};

class PairModel {
 public:
  virtual ~PairModel() = default;
  // PP of pairs of local keys; missing (NaN) for degenerate pairs.
  virtual void evaluate(std::span<const LocalPair> pairs, double* pp) = 0;
};

// The names that settings know: thesis, full, empirical. `used` holds the places of the local keys.
std::unique_ptr<PairModel> makePairModel(const std::string& variance, const BinQueries& queries,
                                         const KeySides& keys, std::span<const std::int64_t> used);

}  // namespace plastiscope
