#pragma once
// Query model of a head: linear drift with position, the reflection that maps it to coordinate 1, and the
// component weights (method.md, Query model and Component weights; thesis equations 4.10-4.12).
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/head_rows.h"
#include "core/analysis/moments.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

struct QueryModel {
  bool present = false;     // false: fewer than 3 queries, or all at one position; the rest is then empty
  Vector alpha, beta;       // [head_dim]: q = alpha + beta t
  double meanT = kMissing;  // tokens
  double betaNorm = kMissing, r2Position = kMissing;
  std::vector<double> r2;       // [head_dim], missing for constant dimensions
  std::vector<double> weights;  // [head_dim], sum 1; all missing if no dimension drifts
  Vector reflector;             // u of x -> x - 2 u (u.x) / (u.u); size 0: no reflection
  double betaPosition = kMissing, alphaPosition = kMissing;  // (H beta)_1, (H alpha)_1
  double sigmaPosition2 = kMissing;                          // activation^2

  Vector reflected(const Vector& x) const;  // H x
};

// `times`: multiplicity of each row, as in `moments`; empty: once.
QueryModel queryModelOf(const VectorRows& query, const Moments& moments,
                        std::span<const std::int32_t> times = {});

}  // namespace plastiscope
