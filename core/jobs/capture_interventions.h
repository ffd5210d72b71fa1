#pragma once
// Interventions of a capture on heads, with axis and slope for clamped ones from an analysis.
#include <memory>

#include "core/base/progress.h"
#include "core/forward/forward.h"
#include "core/jobs/capture_job.h"
#include "core/model/model.h"

namespace plastiscope {

// nullptr if no head is changed. Axis and slope of a clamped head are a and alpha_K of the analysis
// request.clampFrom, the centre is (L - 1) / 2 for its window L (resources/help/capture-format.md). Warns if
// the analysis is of another model, and about heads in `lastLayer` or later, on which no captured vector
// depends. UsageError for heads that the model does not have, heads in both lists, or one clamp option
// without the other; InputError if the analysis lacks axis or slope.
std::shared_ptr<const Interventions> chosenInterventions(const CaptureRequest& request, const Model& model,
                                                         std::int64_t lastLayer, Progress& progress);

// Settings of the clamp that the data depend on, in addition to the heads: centre, and a digest of all axes
// and slopes. null if no head is clamped.
Json clampSettings(const Interventions* interventions);

}  // namespace plastiscope
