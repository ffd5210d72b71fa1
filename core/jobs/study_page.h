#pragma once
// Writes a study as one HTML page for a paper's supplement: head grid and table, coloured and filtered by any
// metric, for each head the {a, b} plane, the profile and the plasticity map, and results of probes where the
// analysis has them. The page is self-contained: it loads no network resource or other file.
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
  std::vector<HeadName> heads;          // with plane and map; empty: all of the analysis
  std::int64_t rows = 160;              // rows of each kind in a plane, evenly chosen; 0: no planes
  ApKind plasticity = ApKind::Aligned;  // shown if the analysis has it
};

// The page in UTF-8; the same bytes for any number of threads. UsageError if a head is not in the analysis,
// Stopped.
std::string studyPage(const Study& study, const StudyPageOptions& options, int threads, Progress& progress);

// The output kind of such pages, of any version.
OutputKind studyPageOutput();

}  // namespace plastiscope
