#pragma once
// Choice of the shown attention plasticity: aligned at a position, or binned (resources/help/aligned.md).
#include <array>
#include <string>
#include <vector>

#include "core/store/analysis_file.h"

namespace plastiscope {

struct HeadScope;

enum class ApKind { Aligned, Binned };
constexpr std::array<const char*, 2> namesOf(ApKind) {
  return {"aligned", "binned"};
}
inline ApKind otherPlasticity(ApKind kind) {
  return kind == ApKind::Aligned ? ApKind::Binned : ApKind::Aligned;
}

// Names of the tables and columns with one kind of plasticity.
struct PlasticityPlace {
  const char *title, *profile, *ap, *map, *mapModel;  // title: in legends; `ap`: a column of the profile
};
const PlasticityPlace& placeOf(ApKind kind);

// The same quantity of that kind, ap_drop <-> ap_aligned_drop, also with a suffix (_low); others stay.
std::string columnAs(ApKind kind, const std::string& column);
inline constexpr const char* kPublishedAreBinned = "published numbers are binned: so are all here";

struct ShownPlasticity {
  ApKind kind = ApKind::Binned;
  std::string note;  // why it is not the requested kind, in one line; "" = it is
};
// The requested kind where every analysis has it, else binned. Beside published numbers always binned.
ShownPlasticity shownPlasticity(const std::vector<const AnalysisFile*>& analyses, ApKind wanted,
                                bool published = false);
ShownPlasticity shownPlasticity(const AnalysisFile& analysis, ApKind wanted, bool published = false);

// Mean over the heads of the scope of binned AP minus aligned AP; NaN where unknown.
double binningExcess(const AnalysisFile& analysis, const HeadScope& scope);
// "binned AP is 0.24 above the aligned value: within a bin position counts as content"; "" up to 0.05.
std::string excessNote(double excess);
// For several analyses: "binned AP is up to 0.24 above ...".
std::string excessNote(const std::vector<const AnalysisFile*>& analyses);
// Note beside a view of these heads: the excess, where binned values are shown.
std::string plasticityNote(const AnalysisFile& analysis, const HeadScope& scope, ApKind shown);
// Why a head has no aligned values; "" where it has them or the reason is unknown.
std::string missingAligned(const Table& heads, std::size_t row);

}  // namespace plastiscope
