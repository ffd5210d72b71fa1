#pragma once
// Plasticity over query position: one head over all heads, and quintiles of the window (method.md, Query bins
// and Head values).
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/views/head_interval.h"
#include "core/views/study_facts.h"

namespace plastiscope {

using QuintileValues = std::array<double, 5>;  // quintiles of the window

// 95 % intervals; NaN where there is none.
struct QuintileIntervals {
  QuintileValues low, high;
};

// Data shared by all heads of a study, made once.
struct ProfileField {
  std::int64_t window = 0;                // tokens
  std::vector<double> start, end, tau;    // [bins], tokens
  std::vector<HeadName> heads;            // [heads], those of the scope
  std::vector<double> ap;                 // [heads * bins], NaN = missing
  std::vector<double> apLow, apHigh;      // [heads * bins], its interval; empty without a bootstrap
  std::vector<std::int64_t> pairs;        // [heads * bins]
  std::vector<std::int64_t> queries;      // [heads * bins]
  std::vector<double> mean;               // [bins] over the heads that have a value
  std::vector<double> meanLow, meanHigh;  // [bins] interval of the mean over those heads; NaN below two
  std::vector<std::int64_t> meanHeads;    // [bins] number of heads with a value
  std::vector<HeadSpread> spreads;        // [bins] over the same heads
  std::vector<QuintileValues> quintiles;  // [heads]
  std::int64_t examples = 0;              // in the capture; 0 = unknown
  QuintileValues quintileMean{};          // over heads that have a value; NaN when none
  std::array<std::int64_t, 5> quintileHeads{};
  std::vector<QuintileIntervals> quintileIntervals;  // [heads] over examples; empty without a bootstrap
  QuintileIntervals quintileMeanInterval{};
  // For quintileMean: over examples for all heads of an analysis with a bootstrap, else over heads.
  IntervalOver quintileMeanOver = IntervalOver::Heads;
  std::vector<std::int64_t> texts;  // [heads * bins] texts with queries in the bin; empty where unknown
  std::vector<bool> differs;   // [bins] whether other texts reach it than the first bin; empty where unknown
  std::vector<double> excess;  // [heads] binned AP minus aligned AP; NaN = unknown
  ApKind plasticity = ApKind::Binned;
  std::shared_ptr<const ProfileField> other;  // the same for the other plasticity; null where there is none
  std::string scopeText;                      // "all heads", "layer 12"
  bool corrected = false;                     // the values are bias-corrected estimates
  std::size_t bins() const { return tau.size(); }
  std::optional<std::size_t> binAt(double position) const;  // bin of a position in tokens
  std::size_t index(std::size_t head, std::size_t bin) const { return head * bins() + bin; }
};

// Profile drawn over all heads: one head, or the mean of several.
struct ShownProfile {
  std::string name;                          // "L12H6", "mean of 40 selected"
  std::int64_t heads = 1;                    // heads with a value in some bin
  std::vector<double> ap, low, high;         // [bins], NaN = missing; low and high empty without an interval
  std::vector<std::int64_t> pairs, queries;  // [bins] of one head, or summed over several
  QuintileValues quintiles{};
  std::optional<QuintileIntervals> quintileIntervals;
  IntervalOver over = IntervalOver::None;
  std::vector<std::int64_t> texts = {};  // [bins] of one head
  double excess = kMissing;              // mean over its heads
};

struct ProfileData {
  static constexpr std::int64_t kFewPairs = 200;  // bins with fewer are drawn hollow
  std::shared_ptr<const ProfileField> field;      // never null
  std::shared_ptr<const ShownProfile> shown;      // null: only heads and mean
  std::shared_ptr<const ProfileData> other = {};  // profile of field->other; null where there is none
};

// For display beside published numbers, which are binned: the binned values where there are some.
const ProfileData& besidePublished(const ProfileData& data);
const ProfileData& besidePublished(ProfileData&&) = delete;
// Note on binned values: how far they are above the aligned ones; "" for other values.
std::string excessNote(const ProfileData& data);

// Quintiles of the bars that are shown: those of the chosen head, or the mean.
const QuintileValues& shownQuintiles(const ProfileData& data);
const QuintileIntervals* shownIntervals(const ProfileData& data);  // null for a head without a bootstrap
const QuintileIntervals* shownIntervals(ProfileData&&) = delete;   // pointer into `data`
IntervalOver shownIntervalsOver(const ProfileData& data);

// Intervals of the mean of each quintile over these heads.
QuintileIntervals intervalsOverHeads(const std::vector<QuintileValues>& heads);

// Tables heads and profile, and model for the intervals over examples. The scope's layer restricts the heads;
// its head does not.
std::shared_ptr<const ProfileField> makeProfileField(const AnalysisFile& analysis,
                                                     const HeadScope& scope = {},
                                                     ApKind plasticity = ApKind::Binned);
// Also with the field of the other plasticity, where the analysis has it.
std::shared_ptr<const ProfileField> makeProfileFields(const AnalysisFile& analysis, const HeadScope& scope,
                                                      ApKind plasticity);
// UsageError when the head is not in the field.
ProfileData makeProfile(std::shared_ptr<const ProfileField> field, std::optional<HeadName> head);
// The mean of several heads, with its interval over them. `name`: "" = "mean of 40 selected". UsageError when
// none of them is in the field.
ProfileData makeProfile(std::shared_ptr<const ProfileField> field, const std::vector<HeadName>& several,
                        const std::string& name = {});

// One sentence on why the profile is empty; "" if it is not.
std::string whyNoProfile(const ProfileField& field);

}  // namespace plastiscope
