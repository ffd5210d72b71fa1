#pragma once
// Pair plasticity for the queries of a bin, in each variance mode (method.md, Pair plasticity).
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/matrix.h"
#include "core/analysis/pair_kernels.h"
#include "core/analysis/query_model.h"

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
  Matrix rows;               // [n_b, head_dim], not reflected; empty where the mode needs none
  BinDrift drift;            // in reflected coordinates
  double driftVariance = 0;  // sigma_pos^2
  double meanSquare = 0;     // mean of |q_n|^2
};

// The keys of a head in their order; pairs name their rows.
struct HouseholderKeys {
  const Matrix* stored = nullptr;                    // [key rows, head_dim], as captured
  const std::vector<std::int64_t>* order = nullptr;  // stored row of each key
  // [keys, padded head_dim], in order; moved so that the middle of the keys is near 0: pairs see differences
  // alone, and products of small numbers keep more digits.
  Matrix reflected;
  double largestSquare = 0;  // of |k|^2
};
// Both must outlive the result.
HouseholderKeys householderKeys(const Matrix& stored, const std::vector<std::int64_t>& order,
                                const QueryModel& model);

// The keys that the pairs of a bin touch, ascending, and how many pairs are to come.
struct UsedKeys {
  std::vector<std::int32_t> rows;
  std::int64_t pairs = 0;
};

// What a mode says of pairs of keys, an array a quantity; null where the mode does not see it.
struct PairValues {
  const double* pp = nullptr;        // never null; missing (NaN) for degenerate pairs
  const double* mean = nullptr;      // of q.(k_i - k_j)
  const double* variance = nullptr;  // of q.(k_i - k_j)
  const double* content = nullptr;   // what coordinates 2..d of the bin's queries give to the variance
};

class PairModel {
 public:
  virtual ~PairModel() = default;
  // PP of pairs of used keys; missing (NaN) for degenerate pairs.
  virtual void evaluate(std::span<const KeyPair> pairs, double* pp) = 0;
  // Of the pairs evaluated last.
  virtual PairValues values(const double* pp) const { return {pp}; }
};

// Whether the mode reads the rows of a bin's queries.
bool needsQueryRows(const std::string& variance);

// The names that settings know: thesis, full, empirical, global. `keys` must outlive the model.
std::unique_ptr<PairModel> makePairModel(const std::string& variance, const BinQueries& queries,
                                         const HouseholderKeys& keys, const UsedKeys& used);

}  // namespace plastiscope
