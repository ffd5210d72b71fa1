#pragma once
// Mean variance that content gives the score difference of a pair: v_content of method.md 7.5.
#include <span>
#include <vector>

#include "core/analysis/matrix.h"
#include "core/analysis/pair_kernels.h"

namespace plastiscope {

struct KeySide;
struct QueryModel;

// Gathers squared differences of the pairs that bins value, coordinate by coordinate, in the reflected basis.
class ContentSpread {
 public:
  ContentSpread(const KeySide& keys, const QueryModel& model, std::int64_t bins);
  // A watcher of pairs; those with a missing PP are left out.
  void add(std::int64_t bin, std::span<const KeyPair> pairs, const double* pp);
  // Mean over all pairs of sum over c >= 2 of delta_c^2 * spread(bin, c); missing without pairs.
  // spread: [bins, head_dim], s_b^2.
  double mean(const Matrix& spread) const;

 private:
  Matrix m_keys;     // [keys in order, head_dim], reflected
  Matrix m_squares;  // [bins, head_dim], sum over pairs of delta_c^2
  std::int64_t m_pairs = 0;
};

}  // namespace plastiscope
