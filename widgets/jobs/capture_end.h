#pragma once
// Messages about a finished capture process: the meaning of its exit code and the amount of work kept. Pure
// functions.
#include <QString>
#include <cstdint>

namespace plastiscope {

// "48 %" for a share of the work; "less than 1 %" for a very small one.
QString shareText(double share);

// Message for the user: `lastError` is the sentence of the last error event or line, `finished` the number of
// kept texts, `share` the share of all work when half-finished texts are kept too.
struct CaptureEnd {
  enum class Kind { Done, Stopped, Refused, Died };
  Kind kind = Kind::Done;
  QString sentence;
  bool canResume = false;  // finished texts are kept and a restart continues
};
CaptureEnd captureEndOf(bool crashed, int exitCode, const QString& lastError, std::int64_t finished,
                        double share = 0);

}  // namespace plastiscope
