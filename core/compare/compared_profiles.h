#pragma once
// Plasticity of several models over positions: profiles and quintiles, and means over ranges in tokens.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/table.h"
#include "core/compare/comparison.h"
#include "core/compare/reference_data.h"
#include "core/store/analysis_file.h"
#include "core/views/profile_data.h"

namespace plastiscope {

struct ComparedProfile {
  ComparedName model;
  bool aligned = false;                 // aligned values; else binned
  std::int64_t window = 0;              // tokens
  std::vector<double> tokens;           // [bins] representative position
  std::vector<double> mean;             // [bins] over the heads that have a value; NaN = missing
  std::vector<std::int64_t> meanHeads;  // [bins]
  std::optional<HeadName> head;         // shown in addition to the mean
  std::vector<double> headAp;           // [bins]; empty without a head
  // 95 % intervals [bins] of the head over examples (empty without a bootstrap), or without a head of the
  // mean over heads.
  std::vector<double> low, high;
  QuintileValues quintiles{};  // mean over heads, or of the head
  QuintileIntervals quintileIntervals{};
  std::array<std::int64_t, 5> quintileHeads{};
  std::int64_t heads = 0, examples = 0;          // of the analysis; 0 = not known
  ReferenceCurve published, publishedQuintiles;  // empty unless asked for and known

  double share(std::size_t bin) const { return tokens[bin] / static_cast<double>(window); }
  Interval interval(std::size_t bin) const {
    return bin < low.size() ? Interval{low[bin], high[bin]} : Interval();
  }
};

struct ComparedProfiles {
  std::vector<ComparedProfile> models;
  ApKind plasticity = ApKind::Binned;
  IntervalOver profilesOver = IntervalOver::None, quintilesOver = IntervalOver::None;
  std::int64_t longestWindow() const;  // published curves included
  bool showsHeads() const;             // at least one model has a head
};

// `head`: of the first model; the others show the head that matches it (matching.h). `published`: adds the
// thesis' curves of known models. UsageError: a head that was not captured.
ComparedProfiles compareProfiles(const Comparison& comparison, std::optional<HeadName> head = {},
                                 bool published = false);

// Columns: part (mean | head | quintile | published ...), model, head, position, share, ap, heads, examples,
// ap_low, ap_high, interval_over
Table tableOf(const ComparedProfiles& data);

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

// Averages the profile table of an analysis over ranges of positions.
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
