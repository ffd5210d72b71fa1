#pragma once
// Plasticity over query position: one head in front of all heads, and fifths of the window (method.md 4.3,
// 6).
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/views/study_facts.h"

namespace plastiscope {

using Fifths = std::array<double, 5>;  // of the window

// 95 % intervals from resamples over examples; NaN where there is none.
struct FifthIntervals {
  Fifths low, high;
};

// Common to all heads of a study: made once, shared.
struct ProfileField {
  std::int64_t window = 0;              // tokens
  std::vector<double> start, end, tau;  // [bins], tokens
  std::vector<HeadName> heads;          // [heads], those of the scope
  std::vector<double> ap;               // [heads * bins], NaN = missing
  std::vector<double> apLow, apHigh;    // [heads * bins], its interval; empty without a bootstrap
  std::vector<std::int64_t> pairs;      // [heads * bins]
  std::vector<std::int64_t> queries;    // [heads * bins]
  std::vector<double> mean;             // [bins] over the heads that have a value
  std::vector<std::int64_t> meanHeads;  // [bins] how many
  std::vector<Fifths> quintiles;        // [heads]
  Fifths quintileMean{};                // over heads that have a value; NaN when none
  std::array<std::int64_t, 5> quintileHeads{};
  // Of an analysis with a bootstrap; else empty, or nothing. That of the mean is of all heads only.
  std::vector<FifthIntervals> quintileIntervals;  // [heads]
  std::optional<FifthIntervals> quintileMeanInterval;
  std::string scopeText;   // "all heads", "layer 12"
  bool corrected = false;  // the values are bias-corrected estimates
  std::size_t bins() const { return tau.size(); }
  std::optional<std::size_t> binAt(double position) const;  // that holds it, tokens
  std::size_t index(std::size_t head, std::size_t bin) const { return head * bins() + bin; }
};

struct ProfileData {
  static constexpr std::int64_t kFewPairs = 200;  // bins below are drawn hollow (method.md 4.3)
  std::shared_ptr<const ProfileField> field;      // never null
  std::optional<std::size_t> chosen;              // index into field->heads; none: only heads and mean
};

// Of the bars that are shown: the chosen head's, or those of the mean.
const Fifths& shownQuintiles(const ProfileData& data);
const FifthIntervals* shownIntervals(const ProfileData& data);  // null without a bootstrap
bool hasIntervals(const ProfileField& field);                   // along the profile or on the fifths

// Tables heads and profile, and model for the intervals. The scope's layer restricts the heads; its head does
// not.
std::shared_ptr<const ProfileField> makeProfileField(const AnalysisFile& analysis,
                                                     const HeadScope& scope = {});
// UsageError when the head is not in the field.
ProfileData makeProfile(std::shared_ptr<const ProfileField> field, std::optional<HeadName> head);

}  // namespace plastiscope
