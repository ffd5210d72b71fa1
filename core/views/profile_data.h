#pragma once
// Plasticity over query position: one head in front of all heads, and quintiles of the window (method.md,
// Query bins and Head values).
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/views/head_interval.h"
#include "core/views/head_spread.h"
#include "core/views/study_facts.h"

namespace plastiscope {

using QuintileValues = std::array<double, 5>;  // of the window

// 95 % intervals; NaN where there is none.
struct QuintileIntervals {
  QuintileValues low, high;
};

// Common to all heads of a study: made once, shared.
struct ProfileField {
  std::int64_t window = 0;                // tokens
  std::vector<double> start, end, tau;    // [bins], tokens
  std::vector<HeadName> heads;            // [heads], those of the scope
  std::vector<double> ap;                 // [heads * bins], NaN = missing
  std::vector<double> apLow, apHigh;      // [heads * bins], its interval; empty without a bootstrap
  std::vector<std::int64_t> pairs;        // [heads * bins]
  std::vector<std::int64_t> queries;      // [heads * bins]
  std::vector<double> mean;               // [bins] over the heads that have a value
  std::vector<double> meanLow, meanHigh;  // [bins] its interval over those heads; NaN below two
  std::vector<std::int64_t> meanHeads;    // [bins] how many
  std::vector<HeadSpread> spreads;        // [bins] over the same heads
  std::vector<QuintileValues> quintiles;  // [heads]
  std::int64_t examples = 0;              // of the capture; 0 = not known
  QuintileValues quintileMean{};          // over heads that have a value; NaN when none
  std::array<std::int64_t, 5> quintileHeads{};
  std::vector<QuintileIntervals> quintileIntervals;  // [heads] over examples; empty without a bootstrap
  QuintileIntervals quintileMeanInterval{};
  // Of that: over examples for all heads of an analysis with a bootstrap, else over heads.
  IntervalOver quintileMeanOver = IntervalOver::Heads;
  std::vector<std::int64_t> texts;  // [heads * bins] whose queries are in it; empty where it is not known
  std::vector<bool> differs;        // [bins] other texts reach it than the first; empty where not known
  std::vector<double> excess;       // [heads] of binned AP over aligned; NaN = not known
  ApKind plasticity = ApKind::Binned;
  std::shared_ptr<const ProfileField> other;  // the same of the other plasticity; null where there is none
  std::string scopeText;   // "all heads", "layer 12"
  bool corrected = false;  // the values are bias-corrected estimates
  std::size_t bins() const { return tau.size(); }
  std::optional<std::size_t> binAt(double position) const;  // that holds it, tokens
  std::size_t index(std::size_t head, std::size_t bin) const { return head * bins() + bin; }
};

// What stands before all heads: one of them, or the mean of several.
struct ShownProfile {
  std::string name;                          // "L12H6", "mean of 40 selected"
  std::int64_t heads = 1;                    // that have a value in some bin
  std::vector<double> ap, low, high;         // [bins], NaN = missing; low and high empty without an interval
  std::vector<std::int64_t> pairs, queries;  // [bins] of one head; of several all of theirs
  QuintileValues quintiles{};
  std::optional<QuintileIntervals> quintileIntervals;
  IntervalOver over = IntervalOver::None;
  std::vector<std::int64_t> texts = {};  // [bins] of one head
  double excess = kMissing;              // mean of those of its heads
};

struct ProfileData {
  static constexpr std::int64_t kFewPairs = 200;  // bins with fewer are drawn hollow
  std::shared_ptr<const ProfileField> field;      // never null
  std::shared_ptr<const ShownProfile> shown;      // null: only heads and mean
  std::shared_ptr<const ProfileData> other = {};  // of field->other; null where there is none
};

// Beside published numbers, which are binned: the binned values where there are some.
const ProfileData& besidePublished(const ProfileData& data);
const ProfileData& besidePublished(ProfileData&&) = delete;
// What is said of binned values: how far they are above the aligned ones; "" of others.
std::string excessNote(const ProfileData& data);

// Of the bars that are shown: the chosen head's, or those of the mean.
const QuintileValues& shownQuintiles(const ProfileData& data);
const QuintileIntervals* shownIntervals(const ProfileData& data);  // null for a head without a bootstrap
const QuintileIntervals* shownIntervals(ProfileData&&) = delete;   // they stand in `data`
IntervalOver shownIntervalsOver(const ProfileData& data);

// Of the means of quintiles over these heads.
QuintileIntervals intervalsOverHeads(const std::vector<QuintileValues>& heads);

// Tables heads and profile, and model for the intervals over examples. The scope's layer restricts the heads;
// its head does not.
std::shared_ptr<const ProfileField> makeProfileField(const AnalysisFile& analysis,
                                                     const HeadScope& scope = {},
                                                     ApKind plasticity = ApKind::Binned);
// With that of the other plasticity, where the analysis has it.
std::shared_ptr<const ProfileField> makeProfileFields(const AnalysisFile& analysis, const HeadScope& scope,
                                                      ApKind plasticity);
// UsageError when the head is not in the field.
ProfileData makeProfile(std::shared_ptr<const ProfileField> field, std::optional<HeadName> head);
// The mean of several heads, with its interval over them. UsageError when none of them is in the field.
ProfileData makeProfile(std::shared_ptr<const ProfileField> field, const std::vector<HeadName>& several);

// Why the profile shows nothing, in one sentence; "" while it shows something.
std::string whyNoProfile(const ProfileField& field);

}  // namespace plastiscope
