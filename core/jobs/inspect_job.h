#pragma once
// Inspects one head: the key pairs of a cell of its map, the spread of PP by query position, the plasticity
// of single rows, and its map over all pairs.
#include <cstdint>

#include "core/analysis/pair_inspection.h"
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

}  // namespace plastiscope
