#pragma once
// Summarises a head's profile: overall value, first and last fifth, quintiles, deciles, length ranges
// (method.md, Head values).
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/plasticity.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

// Unweighted mean of AP over the bins of a range that have a value.
struct RangeMean {
  std::string name;  // the column of heads.csv; "" for a length range
  double ap = kMissing;
  std::int64_t bins = 0, missing = 0;  // bins whose tau lies in the range; those without a value
  std::int64_t queries = 0;            // of the bins with a value
  bool isSparse() const { return missing * 20 > bins; }  // more than 5 % missing
};

struct LengthMean {
  std::int64_t from = 0, to = 0;  // tokens, from <= tau < to
  RangeMean mean;
};

struct ApSummary {
  double overall = kMissing, drop = kMissing;
  double reachDrop = kMissing;  // drop of AP times the reach of the bins
  RangeMean first20, last20;
  std::array<RangeMean, 5> quintiles;
  std::array<RangeMean, 10> deciles;
  std::vector<LengthMean> lengths;  // ranges that start below the window

  std::vector<const RangeMean*> ranges() const;  // ranges that are columns of heads.csv
};

ApSummary summarise(const std::vector<BinResult>& bins, std::int64_t window,
                    const AnalysisSettings& settings);

// Recovery of AP in the middle of the window, in units of AP; NaN if a decile is missing.
struct MidContextRecovery {
  double dip = 0, recovery = 0, collapse = 0;
  bool known() const { return std::isfinite(recovery); }
  bool recovers() const { return recovery > 0.005; }
};
// Deciles 1 .. 10, from index 0.
MidContextRecovery midContextRecovery(const std::array<double, 10>& decile);

}  // namespace plastiscope
