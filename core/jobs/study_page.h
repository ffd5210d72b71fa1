#pragma once
// A whole study as one HTML page for a paper's supplement: head grid and table coloured and filtered by any
// metric, and of each head the {a, b} plane, the profile and the plasticity map. It reads nothing else: no
// network, no other file.
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/capture/head_list.h"
#include "core/store/output_place.h"
#include "core/views/plasticity_choice.h"
#include "core/views/study.h"

namespace plastiscope {

struct StudyPageOptions {
  std::vector<HeadName> heads;  // with plane and map; empty: all of the analysis
  std::int64_t rows =
      160;  // of each kind in a plane, evenly chosen of those that were captured; 0: no planes
  ApKind plasticity = ApKind::Aligned;  // that is shown, where the analysis has it
};

// The page, UTF-8; the same bytes for any number of threads. UsageError when a head is not in the analysis,
// Stopped.
std::string studyPage(const Study& study, const StudyPageOptions& options, int threads, Progress& progress);

// Such a page, in a newer version of it too.
OutputKind studyPageOutput();

}  // namespace plastiscope
