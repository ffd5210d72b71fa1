#pragma once
// The queries of a head in the reflected basis, read once: what their drift, the pairs' variances and the
// diagnostics are made from (method.md 4.3, 7.4, 7.5).
#include <vector>

#include "core/analysis/binned_queries.h"
#include "core/analysis/query_model.h"
#include "core/analysis/shape.h"

namespace plastiscope {

// The queries of one bin. Without queries all is zero.
struct BinContent {
  std::int64_t rows = 0;
  Vector mean;            // [head_dim], mu_b
  Vector variance;        // [head_dim], s_b^2 (ddof 1); zero for a single row
  double meanSquare = 0;  // mean of |q_n|^2
};

struct QueryContent {
  std::vector<BinContent> bins;
  Vector mean;          // [head_dim] over all queries
  Vector drift;         // [queries] coordinate 1, in the order of BinnedQueries::allRows()
  ColumnPowers powers;  // of all queries around their mean
};

// Repeated rows count as often as `binned` holds them.
QueryContent queryContentOf(const KindRows& query, const QueryModel& model, const BinnedQueries& binned);

}  // namespace plastiscope
