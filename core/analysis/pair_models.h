#pragma once
// Computes pair plasticity for the queries of a bin in each variance mode (method.md, Pair plasticity).
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/matrix.h"
#include "core/analysis/pair_kernels.h"
#include "core/analysis/query_model.h"

namespace plastiscope {

// The queries of one bin with variance = thesis: a drift line on coordinate 1, means and variances of the
// others.
struct BinDrift {
  double onDrift = 0;  // alpha_pos + beta_pos * tau: expected coordinate 1
  Vector mean;         // [head_dim], mu_b; coordinate 1 is not used
  Vector variance;     // [head_dim], s_b^2 (ddof 1); coordinate 1 is not used
};

// Data of one bin for all modes.
struct BinQueries {
  Matrix rows;               // [n_b, head_dim], not reflected; empty if the mode does not need it
  BinDrift drift;            // in reflected coordinates
  double driftVariance = 0;  // sigma_pos^2
  double meanSquare = 0;     // mean of |q_n|^2
};

// The keys of a head in order; pairs index them.
struct HouseholderKeys {
  const Matrix* stored = nullptr;                    // [key rows, head_dim], as captured
  const std::vector<std::int64_t>* order = nullptr;  // stored row of each key
  // [keys, padded head_dim], in order, shifted so that their centre is near 0: pairs depend only on
  // differences, and smaller numbers lose fewer digits.
  Matrix reflected;
  double largestSquare = 0;  // largest |k|^2
};
// Both arguments must outlive the result.
HouseholderKeys householderKeys(const Matrix& stored, const std::vector<std::int64_t>& order,
                                const QueryModel& model);

// The keys in the pairs of a bin, ascending, and the number of pairs to evaluate.
struct UsedKeys {
  std::vector<std::int32_t> rows;
  std::int64_t pairs = 0;
};

// Results of a mode for pairs of keys, one array per quantity; null if the mode does not compute it.
struct PairValues {
  const double* pp = nullptr;        // never null; missing (NaN) for degenerate pairs
  const double* mean = nullptr;      // of q.(k_i - k_j)
  const double* variance = nullptr;  // of q.(k_i - k_j)
  const double* content = nullptr;   // contribution of coordinates 2..d to the variance
};

class PairModel {
 public:
  virtual ~PairModel() = default;
  // PP of pairs of used keys; missing (NaN) for degenerate pairs.
  virtual void evaluate(std::span<const KeyPair> pairs, double* pp) = 0;
  // Values of the last evaluated pairs.
  virtual PairValues values(const double* pp) const { return {pp}; }
};

// Whether the mode reads the rows of a bin's queries.
bool needsQueryRows(const std::string& variance);

// `variance`: thesis, full, empirical or global, as in the settings. `keys` must outlive the model.
std::unique_ptr<PairModel> makePairModel(const std::string& variance, const BinQueries& queries,
                                         const HouseholderKeys& keys, const UsedKeys& used);

}  // namespace plastiscope
