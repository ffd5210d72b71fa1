#pragma once
// Inside core/store only: an analysis of an HDF5 file that is open already.
#include "core/store/analysis_file.h"
#include "core/store/hdf5_reader.h"

namespace plastiscope {
AnalysisFile analysisIn(const Hdf5Group& root, DamagedTables damaged);  // InputError
}  // namespace plastiscope
