#pragma once
// The heads that a capture changes on purpose, with the numbers of the analysis that says how their keys
// drift.
#include <memory>

#include "core/base/progress.h"
#include "core/forward/forward.h"
#include "core/jobs/capture_job.h"
#include "core/model/model.h"

namespace plastiscope {

// nullptr when there are none. A clamped head's axis and slope are a and alpha_K of request.clampFrom
// (method.md), its centre is (L - 1) / 2 of that analysis' window L. Warns of an analysis of another model
// and of heads from `lastLayer` on, of which no captured vector depends. UsageError for heads that the model
// does not have, a head of both lists, or one of the two clamp options alone; InputError for what the
// analysis does not say.
std::shared_ptr<const Interventions> chosenInterventions(const CaptureRequest& request, const Model& model,
                                                         std::int64_t lastLayer, Progress& progress);

// What of clamping decides the data beside the list of heads: centre and a digest of all axes and slopes;
// null when no head is clamped.
Json clampSettings(const Interventions* interventions);

}  // namespace plastiscope
