#include "app/desktop/session.h"

#include "widgets/jobs/capture_process.h"

namespace plastiscope {

Session::Session(std::filesystem::path folder)
    : state(std::move(folder)),
      captures(state.folder(), commandLineProgram(), workers, jobs),
      library(state, captures, workers, jobs),
      opener(state, library, captures, workers, jobs),
      studyJobs({state, workers, jobs, captures, library, opener}) {}

}  // namespace plastiscope
