#pragma once
// Questions about one head: the key pairs behind a cell of its map, the spread of PP by query position, and
// its map over all pairs.
#include <cstdint>

#include "core/analysis/pair_inspection.h"
#include "core/base/progress.h"
#include "core/base/table.h"
#include "core/capture/head_choice.h"
#include "core/store/capture_file.h"
#include "core/views/map_data.h"

namespace plastiscope {

// settings.pairs = 0 takes every pair instead of the sampled ones.
CellPairs inspectCell(const CaptureFile& capture, const HeadName& head, const AnalysisSettings& settings,
                      const CellRequest& choice, const Progress& progress);
PpSpread inspectSpread(const CaptureFile& capture, const HeadName& head, const AnalysisSettings& settings,
                       const Progress& progress);

// Of single rows; so many pairs are drawn, where the settings take fewer, that a key is in about 32 of them.
RowPlasticities inspectRows(const CaptureFile& capture, const HeadName& head,
                            const AnalysisSettings& settings, const Progress& progress);

// pairs: bin, tau, earlier_example, earlier, later_example, later, pp, z. Examples by their names.
Table pairsTable(const CellPairs& cell, const CaptureInfo& info);
// pp_spread: bin, start, end, tau, pairs, pp_0.00, pp_0.05, ...: how many pairs have a PP from there on.
Table ppSpreadTable(const PpSpread& spread);

// The plasticity map of one head over every admissible pair. At 256 pairs a bin, half the cells of a single
// head's map have too few pairs to be shown.

// Whether the study's own analysis is a sample of pairs, and its capture is there to take them all.
bool canRefineMap(const Study& study);
// InputError, Stopped. The grid of bins stays that of the whole capture.
MapData makeExactMap(const Study& study, HeadName head, ApKind plasticity, Progress& progress);

}  // namespace plastiscope
