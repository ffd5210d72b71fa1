#pragma once
// Writes a study as one HTML page for a paper's supplement: head grid and table, coloured and filtered by any
// metric, for each head the {a, b} plane, the profile, the plasticity map and a text, results of probes where
// the analysis has them, and a comparison with other studies. The page is self-contained: it holds the
// answers of study_server.h that it shows and loads no network resource or other file.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/json_value.h"
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
  double megabytes = 20;                // largest size; the page names what does not fit
};

// The page in UTF-8; the same bytes for any number of threads. UsageError if a head is not in the analysis,
// Stopped. `compared`: studies that the first one is compared with.
std::string studyPage(const std::shared_ptr<const Study>& study, const StudyPageOptions& options, int threads,
                      Progress& progress, const std::vector<std::shared_ptr<const Study>>& compared = {});

// The page around its data: {"answers": {request: answer}, "left": sentence} for a page without a server,
// {"served": true} or {"notebook": true}.
std::string studyPageAround(const Json& data);

// The output kind of such pages, of any version.
OutputKind studyPageOutput();

}  // namespace plastiscope
