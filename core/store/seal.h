#pragma once
// Joining the finished units of a capture, in example order, into the sealed file.
#include <filesystem>
#include <map>

#include "core/base/progress.h"
#include "core/capture/capture_unit.h"
#include "core/store/capture_writer.h"
#include "core/store/unit_file.h"

namespace plastiscope {

// `texts` may be null. `info` with everything but layerInfos' rows filled in; `units` one per example. A head
// that overflowed float16 in any example is stored as float32 and reported as a warning. Stopped,
// ResourceError, InputError.
void sealCapture(const CaptureInfo& info, const StoredTexts* texts, const UnitLayout& layout,
                 const std::map<std::int64_t, UnitIndex>& units, const std::filesystem::path& out,
                 Progress& progress);

}  // namespace plastiscope
