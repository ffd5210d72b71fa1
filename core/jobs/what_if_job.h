#pragma once
// Computes what-if values of one head and interventions on the heads of a capture, as tables.
#include <string>
#include <vector>

#include "core/analysis/what_if.h"
#include "core/base/progress.h"
#include "core/base/table.h"
#include "core/capture/head_list.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// Prepares what-if (what_if.h) with the settings of an analysis. UsageError for settings without a drift
// line.
WhatIfHead prepareWhatIf(const CaptureFile& capture, const HeadName& head, const AnalysisSettings& settings,
                         const Progress& progress);

// Tables what_if: metric, before, after; what_if_profile: bin, tau, queries, pairs_used, ap_before, ap_after.
std::vector<Table> whatIfTables(const CaptureFile& capture, const HeadName& head, const WhatIf& change,
                                const AnalysisSettings& settings, const Progress& progress);

// Lists such as "L12H6,L3H0-7", "" = none: heads left out of the results, and heads whose bias is set to zero
// by removing their keys' drift along a, for this query head only.
struct HeadEdits {
  std::string drop, clamp;
};
// Tables edited: metric, before, after, heads_before, heads_after of the model's means; edited_heads: layer,
// head, edit, metric, before, after of the edited heads. UsageError for a head that was not analysed or is in
// both lists.
std::vector<Table> editTables(const CaptureFile& capture, const HeadEdits& edits,
                              const AnalysisSettings& settings, int threads, Progress& progress);

}  // namespace plastiscope
