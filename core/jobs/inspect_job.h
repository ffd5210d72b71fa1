#pragma once
// Inspects single heads: the key pairs of a cell of a map, the spread of PP by query position, the plasticity
// of single rows, the map over all pairs, what-if values and interventions.
#include <string>
#include <vector>

#include "core/analysis/pair_inspection.h"
#include "core/analysis/what_if.h"
#include "core/base/progress.h"
#include "core/base/table.h"
#include "core/capture/head_list.h"
#include "core/store/capture_file.h"
#include "core/views/map_data.h"

namespace plastiscope {

// settings.pairs = 0: every pair instead of sampled ones.
CellPairs inspectCell(const CaptureFile& capture, const HeadName& head, const AnalysisSettings& settings,
                      const CellRequest& choice, const Progress& progress);
PpSpread inspectSpread(const CaptureFile& capture, const HeadName& head, const AnalysisSettings& settings,
                       const Progress& progress);

// Plasticity of single rows. Samples enough pairs for about 32 per key if the settings ask for fewer.
RowPlasticities inspectRows(const CaptureFile& capture, const HeadName& head,
                            const AnalysisSettings& settings, const Progress& progress);

// Columns: bin, tau, earlier_example, earlier, later_example, later, pp, z. Examples by their names.
Table pairsTable(const CellPairs& cell, const CaptureInfo& info);
// Columns: bin, start, end, tau, pairs, pp_0.00, pp_0.05, ...: numbers of pairs with a PP from that value on.
Table ppSpreadTable(const PpSpread& spread);

// The plasticity map of one head over all admissible pairs. With 256 pairs per bin, half the cells of a
// single head's map have too few pairs to be shown.

// Whether the study's analysis sampled pairs and its capture is available to use all.
bool canRefineMap(const Study& study);
// The grid of bins stays that of the whole capture. InputError, Stopped.
MapData makeExactMap(const Study& study, HeadName head, ApKind plasticity, Progress& progress);

// ---- what-if and interventions, as tables

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
