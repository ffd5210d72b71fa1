#pragma once
// The plasticity map of one head over every admissible pair. At 256 pairs a bin, half the cells of a single
// head's map have too few pairs to be shown.
#include <memory>

#include "core/base/progress.h"
#include "core/views/map_data.h"

namespace plastiscope {

// Whether the study's own analysis is a sample of pairs, and its capture is there to take them all.
bool canRefineMap(const Study& study);
// InputError, Stopped. The grid of bins stays that of the whole capture.
MapData makeExactMap(const Study& study, HeadName head, Progress& progress);

}  // namespace plastiscope
