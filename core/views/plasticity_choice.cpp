#include "core/views/plasticity_choice.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/columns.h"
#include "core/views/metric_info.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

constexpr PlasticityPlace kPlaces[] = {
    {"aligned", "profile_aligned", "ap_aligned", "map_aligned", "map_aligned_model"},
    {"binned, as in the thesis", "profile", "ap", "map", "map_model"}};

// The same quantity in both kinds; names that end in _ are numbered.
struct Pair {
  std::string_view aligned, binned;
};
constexpr Pair kPairs[] = {{"ap_aligned", "ap_overall"},
                           {"ap_aligned_first20", "ap_first20"},
                           {"ap_aligned_last20", "ap_last20"},
                           {"ap_aligned_drop", "ap_drop"},
                           {"ap_aligned_reach_drop", "ap_reach_drop"},
                           {"ap_aligned_quintile_", "ap_quintile_"},
                           {"ap_aligned_decile_", "ap_decile_"}};
constexpr double kExcess = 0.05;  // above it a note says that binned values contain position

// Whether `column` is `name`, with a number if `name` takes one, with or without an interval suffix.
bool isColumn(std::string_view column, std::string_view name) {
  if (!column.starts_with(name)) return false;
  std::string_view rest = column.substr(name.size());
  if (name.ends_with('_')) {
    const auto digits = rest.find_first_not_of("0123456789");
    if (digits == 0 || rest.empty()) return false;
    rest = digits == std::string_view::npos ? "" : rest.substr(digits);
  }
  return rest.empty() || rest == kLowEnding || rest == kHighEnding || rest == kHeadsEnding;
}

bool hasValues(const AnalysisFile& analysis, ApKind kind) {
  const Table* heads = analysis.find("heads");
  const std::string column = columnAs(kind, "ap_overall");
  if (heads == nullptr || heads->find(column) == nullptr) return false;
  if (kind == ApKind::Aligned && !analysis.rowsOfTables().contains(placeOf(kind).profile)) return false;
  for (std::size_t row = 0; row < heads->rows(); ++row) {
    if (std::isfinite(numberAt(*heads, column, row))) return true;
  }
  return false;
}

std::string whyMissing(const AnalysisFile& analysis) {
  const Table* heads = analysis.find("heads");
  for (std::size_t row = 0; heads != nullptr && row < heads->rows(); ++row) {
    if (const std::string why = missingAligned(*heads, row); !why.empty()) return "no aligned values: " + why;
  }
  if (heads != nullptr && heads->find("ap_aligned") != nullptr)
    return "no head has an aligned value: binned AP is shown";
  return "this analysis has no aligned values: analyse the capture again";
}

}  // namespace

const PlasticityPlace& placeOf(ApKind kind) {
  return kPlaces[static_cast<std::size_t>(kind)];
}

std::string columnAs(ApKind kind, const std::string& column) {
  for (const auto& [aligned, binned] : kPairs) {
    const auto &from = kind == ApKind::Aligned ? binned : aligned,
               &to = kind == ApKind::Aligned ? aligned : binned;
    if (isColumn(column, from)) return std::string(to) + column.substr(from.size());
  }
  return column;
}

ShownPlasticity shownPlasticity(const std::vector<const AnalysisFile*>& analyses, ApKind wanted,
                                bool published) {
  const auto lacks = [&](ApKind kind) {
    return std::ranges::find_if(analyses,
                                [kind](const AnalysisFile* each) { return !hasValues(*each, kind); });
  };
  if (wanted == ApKind::Aligned && published) return {ApKind::Binned, kPublishedAreBinned};
  const auto without = lacks(wanted);
  if (without == analyses.end()) return {wanted, ""};
  if (wanted == ApKind::Aligned) return {ApKind::Binned, whyMissing(**without)};
  const bool alignedOnly = !published && lacks(ApKind::Aligned) == analyses.end();
  return alignedOnly ? ShownPlasticity{ApKind::Aligned, "no binned values: queries = aligned"}
                     : ShownPlasticity{ApKind::Binned, ""};
}

ShownPlasticity shownPlasticity(const AnalysisFile& analysis, ApKind wanted, bool published) {
  return shownPlasticity(std::vector{&analysis}, wanted, published);
}

double binningExcess(const AnalysisFile& analysis, const HeadScope& scope) {
  const Table& heads = requiredTable(analysis, "heads");
  MeanOf mean;
  for (const RowRun& run : rowsIn(scope, analysis, heads)) {
    for (std::size_t row = run.first; row < run.end; ++row)
      mean.add(numberAt(heads, "ap_binning_excess", row));
  }
  return mean.value();
}

namespace {

std::string excessText(double excess, bool several) {
  if (!(excess > kExcess)) return "";
  return "binned AP is " + std::string(several ? "up to " : "") + fixedText(excess, 2) +
         " above the aligned value: within a bin position counts as content";
}

}  // namespace

std::string excessNote(double excess) {
  return excessText(excess, false);
}

std::string excessNote(const std::vector<const AnalysisFile*>& analyses) {
  double most = 0;
  for (const AnalysisFile* analysis : analyses) most = std::fmax(most, binningExcess(*analysis, {}));
  return excessText(most, analyses.size() > 1);
}

std::string plasticityNote(const AnalysisFile& analysis, const HeadScope& scope, ApKind shown) {
  return shown == ApKind::Binned ? excessNote(binningExcess(analysis, scope)) : "";
}

std::string missingAligned(const Table& heads, std::size_t row) {
  return std::isfinite(numberAt(heads, "ap_aligned", row)) ? "" : textAt(heads, "ap_aligned_missing", row);
}

}  // namespace plastiscope
