#pragma once
// What the capture file says about itself, out of everything that is known about a qk-sniffer data set.
#include "core/store/capture_file.h"
#include "core/store/qk_sniffer/import_index.h"
#include "core/store/qk_sniffer/qk_import.h"

namespace plastiscope {

// Order of sources: options for what only they or the data set can say (window, sampler, RoPE), else the
// model folder, plastiscope.json, _saver_state.json or README.md, and last what follows from the rows. Counts
// of heads: model folder, data set, options, largest index + 1.
CaptureInfo importedInfo(const QkImportRequest& request, const QkFolder& folder, const QkIndex& index,
                         Progress& progress);

}  // namespace plastiscope
