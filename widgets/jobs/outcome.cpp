#include "widgets/jobs/outcome.h"

#include <QObject>
#include <new>

namespace plastiscope {

JobFailure failureInFlight() {
  try {
    throw;
  } catch (const Error& error) {
    return {error.kind(), QString::fromUtf8(error.what())};
  } catch (const std::bad_alloc&) {
    return {ErrorKind::Resources, QObject::tr("Not enough memory for this step.")};
  } catch (const std::exception& error) {
    return {ErrorKind::Internal,
            QObject::tr("Internal failure, please report it: %1").arg(QString::fromUtf8(error.what()))};
  } catch (...) {
    return {ErrorKind::Internal, QObject::tr("Internal failure of an unknown kind, please report it.")};
  }
}

}  // namespace plastiscope
