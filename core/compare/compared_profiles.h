#pragma once
// The plasticity profiles and quintiles of several models, ready to be drawn over each other.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/compare/comparison.h"
#include "core/compare/published_numbers.h"
#include "core/views/profile_data.h"

namespace plastiscope {

struct ComparedProfile {
  ComparedName model;
  bool aligned = false;                 // of aligned queries; else binned
  std::int64_t window = 0;              // tokens
  std::vector<double> tokens;           // [bins] representative position
  std::vector<double> mean;             // [bins] over the heads that have a value; NaN = missing
  std::vector<std::int64_t> meanHeads;  // [bins]
  std::optional<HeadName> head;         // whose profile stands beside the mean
  std::vector<double> headAp;           // [bins]; empty without a head
  // 95 % intervals [bins] of what is in front: of the head over examples (empty without a bootstrap), else of
  // the mean over heads.
  std::vector<double> low, high;
  QuintileValues quintiles{};  // mean over heads, or of the head
  QuintileIntervals quintileIntervals{};
  std::array<std::int64_t, 5> quintileHeads{};
  std::int64_t heads = 0, examples = 0;          // of the analysis; 0 = not known
  ReferenceCurve published, publishedQuintiles;  // empty unless asked for and known

  double share(std::size_t bin) const { return tokens[bin] / static_cast<double>(window); }
};

struct ComparedProfiles {
  std::vector<ComparedProfile> models;
  ApKind plasticity = ApKind::Binned;
  IntervalOver profilesOver = IntervalOver::None, quintilesOver = IntervalOver::None;
  std::int64_t longestWindow() const;  // also of published curves
  bool showsHeads() const;             // at least one model has a head
};

// `head` is one of the first model's; the other models show the one that matches it (matching.h).
// `published`: with the thesis' curves of the models that it knows. UsageError: a head that was not captured.
ComparedProfiles compareProfiles(const Comparison& comparison, std::optional<HeadName> head = {},
                                 bool published = false);

// What profile figures show: part (mean | head | quintile | published ...), model, head, position, share, ap,
// heads, examples, ap_low, ap_high, interval_over
Table tableOf(const ComparedProfiles& data);

}  // namespace plastiscope
