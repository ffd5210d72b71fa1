#pragma once
// Which heads an analysis works on, grouped by the KV head whose keys they share.
#include <cstdint>
#include <vector>

#include "core/analysis/bins.h"
#include "core/analysis/head_rows.h"
#include "core/analysis/settings.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// Query heads of one layer that read the same KV head.
struct HeadGroup {
  std::int64_t kvHead = 0;
  std::vector<HeadId> heads;      // ascending
  std::vector<std::size_t> slot;  // place of each in the order of (layer, head)
};

struct HeadWork {
  std::vector<HeadGroup> groups;
  std::size_t heads = 0;
};

// UsageError when a listed head or layer was not captured, or nothing remains.
HeadWork chooseHeadWork(const CaptureInfo& info, const AnalysisSettings& settings);

// InputError when the capture does not state a usable window or bucket size.
CaptureFrame frameOf(const CaptureInfo& info);
// The grid of the whole capture, whichever heads are chosen. UsageError when it would have too many bins.
BinGrid gridOf(const CaptureInfo& info, const AnalysisSettings& settings);

}  // namespace plastiscope
