#include "widgets/jobs/outcome.h"

#include "core/base/error.h"

namespace plastiscope {

JobFailure failureInFlight() {
  const Failure failure = caughtFailure();
  return {failure.kind, QString::fromStdString(failure.sentence)};
}

}  // namespace plastiscope
