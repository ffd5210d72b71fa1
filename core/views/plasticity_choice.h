#pragma once
// Which attention plasticity is shown: aligned at a position, or binned as in the thesis (resources/help/aligned.md).
#include <array>
#include <string>
#include <string_view>
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

// Where an analysis keeps it.
struct PlasticityPlace {
  const char *title, *profile, *ap, *map, *mapModel;  // title: in legends; `ap`: a column of the profile
};
const PlasticityPlace& placeOf(ApKind kind);

// The column of the same quantity, ap_drop <-> ap_aligned_drop, also with an ending (_low); others stay.
std::string columnAs(ApKind kind, const std::string& column);
inline constexpr const char* kPublishedAreBinned = "published numbers are binned: so are all here";

struct ShownPlasticity {
  ApKind kind = ApKind::Binned;
  std::string note;  // why it is not the wanted one, in a line; "" = it is
};
// The wanted kind where every analysis has values of it. Published numbers are binned: beside them all are.
ShownPlasticity shownPlasticity(const std::vector<const AnalysisFile*>& analyses, ApKind wanted,
                                bool published = false);
ShownPlasticity shownPlasticity(const AnalysisFile& analysis, ApKind wanted, bool published = false);

// How far binned AP is above the aligned value, as a mean over the heads of the scope; NaN where not known.
double binningExcess(const AnalysisFile& analysis, const HeadScope& scope);
// "binned AP is 0.24 above the aligned value: within a bin position counts as content"; "" up to 0.05.
std::string excessNote(double excess);
// Of several analyses: "binned AP is up to 0.24 above ...".
std::string excessNote(const std::vector<const AnalysisFile*>& analyses);
// What a view of such heads says beside it: the excess where binned values are shown.
std::string plasticityNote(const AnalysisFile& analysis, const HeadScope& scope, ApKind shown);
// Why a head has no aligned values; "" where it has, or where it is not known.
std::string missingAligned(const Table& heads, std::size_t row);

}  // namespace plastiscope
