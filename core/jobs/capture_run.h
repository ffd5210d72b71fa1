#pragma once
// Runs the remaining examples of a capture, group by group: every example becomes a unit, and half-finished
// groups are parked.
#include "core/jobs/capture_groups.h"
#include "core/store/work_folder.h"

namespace plastiscope {

CaptureGroup remainingOf(const CaptureSetup& setup, const WorkFolder& work);
// InputError, ResourceError, Stopped; keeps finished units.
void runRemaining(const CaptureSetup& setup, WorkFolder& work, const CaptureRequest& request,
                  std::uint64_t memoryLimit, Progress& progress);

}  // namespace plastiscope
