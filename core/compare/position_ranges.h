#pragma once
// Averages plasticity over ranges of positions in tokens, from an analysis' profile table (method.md, Length
// ranges).
#include <cstdint>
#include <span>
#include <vector>

#include "core/store/analysis_file.h"

namespace plastiscope {

// The ranges of method.md, Length ranges.
struct LengthRange {
  const char* ranges;      // longbench_pro, ruler, smollm3_4k, smollm3_lc
  std::int64_t from, to;   // tokens
  bool openBelow = false;  // ruler: from < tau <= to; the others: from <= tau < to
};
std::span<const LengthRange> lengthRanges();

struct RangeAp {
  double ap = 0;           // mean over heads of means over valid bins; NaN if no head has one
  std::int64_t heads = 0;  // with a value
};

class PositionProfile {
 public:
  explicit PositionProfile(const AnalysisFile& analysis);
  std::int64_t window() const { return m_window; }
  RangeAp mean(const LengthRange& range) const;

 private:
  // A bin's representative position as a fraction; exact for midpoints.
  struct Bin {
    double numerator = 0, denominator = 1, ap = 0;
  };
  std::int64_t m_window = 0;             // tokens
  std::vector<std::vector<Bin>> m_bins;  // [heads][valid bins]
};

}  // namespace plastiscope
