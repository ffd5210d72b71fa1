#include "widgets/jobs/capture_end.h"

#include <QObject>

namespace plastiscope {
namespace {

QString keptSentence(std::int64_t finished, double share) {
  if (share > 0 && finished == 0)
    return QObject::tr("No text was finished yet; %1 of the work is kept.").arg(shareText(share));
  if (share > 0 && finished > 0) {
    return finished == 1 ? QObject::tr("The finished text is kept, and %1 of all work.").arg(shareText(share))
                         : QObject::tr("The %1 finished texts are kept, and %2 of all work.")
                               .arg(finished)
                               .arg(shareText(share));
  }
  if (finished < 0) return QObject::tr("Finished texts are kept.");
  if (finished == 0) return QObject::tr("No text was finished yet.");
  return finished == 1 ? QObject::tr("The finished text is kept.")
                       : QObject::tr("The %1 finished texts are kept.").arg(finished);
}

}  // namespace

QString shareText(double share) {
  if (share < 0.01) return QObject::tr("less than 1 %");
  return QObject::tr("%1 %").arg(static_cast<int>(100 * share));
}

CaptureEnd captureEndOf(bool crashed, int exitCode, const QString& lastError, std::int64_t finished,
                        double share) {
  using End = CaptureEnd::Kind;
  if (crashed) {
    return {End::Died,
            QObject::tr("The capture process crashed, possibly out of memory. %1")
                .arg(keptSentence(finished, share)),
            true};
  }
  switch (exitCode) {
    case 0:
      return {End::Done, {}, false};
    case 5:
      return {End::Stopped, QObject::tr("Stopped. %1").arg(keptSentence(finished, share)), true};
    case 4:
      return {End::Refused,
              lastError.isEmpty() ? QObject::tr("Not enough memory or disk for this capture.") : lastError,
              true};
    case 2:
    case 3:
      return {End::Refused,
              lastError.isEmpty() ? QObject::tr("The capture was refused (exit code %1).").arg(exitCode)
                                  : lastError,
              false};
    default:
      return {End::Died,
              lastError.isEmpty() ? QObject::tr("The capture process failed with exit code %1.").arg(exitCode)
                                  : lastError,
              true};
  }
}

}  // namespace plastiscope
