// diagnostics.csv: checks of what the other tables assume, one row a head (method.md sections 2,
// 3, 7.4, 7.5).
#include "core/analysis/tables/head_table.h"
#include "core/analysis/tables/rope_pair.h"
#include "core/analysis/tables/table_list.h"

namespace plastiscope {

namespace {

struct Entry {
  const char* name;
  double (*value)(const HeadResult&);
};
constexpr Entry kDiagnosticColumns[] = {
    {"fisher", [](const HeadResult& h) { return h.pca.fisher; }},
    {"qk_accuracy", [](const HeadResult& h) { return h.pca.qkAccuracy; }},
    {"mean_gap", [](const HeadResult& h) { return h.pca.meanGap; }},
    {"pooled_author_q", [](const HeadResult& h) { return h.pca.pooledAuthorQuery; }},
    {"pooled_author_k", [](const HeadResult& h) { return h.pca.pooledAuthorKey; }},
    {"bias_snr", [](const HeadResult& h) { return h.extras.diagnostics.biasSnr; }},
    {"intercept_q", [](const HeadResult& h) { return h.rotation.interceptQuery; }},
    {"slope_at_start", [](const HeadResult& h) { return h.rotation.slopeAtStart; }},
    {"slope_at_end", [](const HeadResult& h) { return h.rotation.slopeAtEnd; }},
    {"skewness", [](const HeadResult& h) { return h.extras.diagnostics.skewness; }},
    {"excess_kurtosis", [](const HeadResult& h) { return h.extras.diagnostics.excessKurtosis; }},
    {"content_skewness", [](const HeadResult& h) { return h.extras.diagnostics.contentSkewness; }},
    {"content_kurtosis", [](const HeadResult& h) { return h.extras.diagnostics.contentKurtosis; }},
    {"r2_scalar", [](const HeadResult& h) { return h.extras.diagnostics.scalar.r2; }},
    {"ap_full_minus_empirical", [](const HeadResult& h) { return h.extras.diagnostics.fullMinusEmpirical; }},
    {"mae_scalar", [](const HeadResult& h) { return h.extras.diagnostics.scalar.error; }},
    {"mae_mean", [](const HeadResult& h) { return h.extras.diagnostics.scalar.meanError; }},
    {"mae_ratio", [](const HeadResult& h) { return h.extras.diagnostics.scalar.ratio; }},
    {"plane_omega", [](const HeadResult& h) { return h.extras.diagnostics.planeTurning.omega; }},
    {"plane_omega_r2", [](const HeadResult& h) { return h.extras.diagnostics.planeTurning.r2; }},
};

}  // namespace

Table diagnosticsTable(const TableInput& input) {
  HeadTable table("diagnostics");
  std::vector<Column> columns;
  for (const Entry& entry : kDiagnosticColumns) columns.push_back({entry.name, Numbers()});
  Numbers pair;
  for (const HeadResult& head : input.heads) {
    table.startRow(head);
    for (std::size_t c = 0; c < columns.size(); ++c)
      std::get<Numbers>(columns[c].values).push_back(kDiagnosticColumns[c].value(head));
    pair.push_back(
        nearestRopePair(input.context, head.place.layer, head.extras.diagnostics.planeTurning.omega));
  }
  columns.push_back({"plane_rope_pair", pair});
  return table.finish(std::move(columns));
}

}  // namespace plastiscope
