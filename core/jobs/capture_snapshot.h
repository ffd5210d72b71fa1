#pragma once
// The finished examples of a capture that runs, or was interrupted, as a capture file of their own.
#include "core/jobs/capture_job.h"

namespace plastiscope {

struct CaptureSnapshot {
  std::int64_t examples = 0, total = 0;  // in the file; of the whole capture
};

// Reads the work folder of request.out, which it leaves as it is, and writes `file`; its settings say
// "partial_of". `request` as the capture was started. UsageError when the work was begun with other settings,
// InputError when nothing is finished yet.
CaptureSnapshot snapshotCapture(const CaptureRequest& request, const std::filesystem::path& file,
                                Progress& progress);

}  // namespace plastiscope
