#pragma once
// Finds which heads feed which: a model, texts and settings -> the table edges in a folder.
#include "core/causal/composition_request.h"
#include "core/causal/composition_run.h"
#include "core/causal/probe_job.h"

namespace plastiscope {

// False if the tables are finished already. Results of finished texts are kept in OUT.partial until then and
// used by the same command. UsageError, InputError, ResourceError, Stopped.
bool runComposition(const CompositionRequest& request, Progress& progress);

}  // namespace plastiscope
