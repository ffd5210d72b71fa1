#pragma once
// Messages about a capture's process that has ended: what its exit code means, and how much of its work is
// kept. Pure functions.
#include <QString>
#include <cstdint>

namespace plastiscope {

// "48 %" of a share of the work; "less than 1 %" of a very small one.
QString shareText(double share);

// What a person reads when the process ended: `lastError` is the sentence of the last error event or line,
// `finished` the texts that are kept, `share` that of all work when texts that are half done are kept too.
struct CaptureEnd {
  enum class Kind { Done, Stopped, Refused, Died };
  Kind kind = Kind::Done;
  QString sentence;
  bool canResume = false;  // finished texts are kept and a new start continues
};
CaptureEnd captureEndOf(bool crashed, int exitCode, const QString& lastError, std::int64_t finished,
                        double share = 0);

}  // namespace plastiscope
