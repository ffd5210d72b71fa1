#pragma once
// What the window lends to its pages; all of it outlives them.
#include <filesystem>

#include "widgets/jobs/workers.h"
#include "widgets/state/locked_ranges.h"

namespace plastiscope {

struct PageServices {
  Workers& workers;
  LockedRanges& ranges;
  std::filesystem::path settingsFolder = {};  // for notes that cannot stand beside their file; "" = nowhere
};

}  // namespace plastiscope
