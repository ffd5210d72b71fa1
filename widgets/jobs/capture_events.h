#pragma once
// The lines that `plastiscope-cli capture --progress json` writes to stderr (contract.md 1.3), and what its
// exit codes mean. Pure functions.
#include <QByteArray>
#include <QString>
#include <optional>

#include "core/base/json_value.h"
#include "core/base/progress_event.h"

namespace plastiscope {

struct CaptureEvent {
  using Kind = ProgressEvent::Kind;
  Kind kind = Kind::Progress;
  ProgressState progress;  // of Progress events
  QString sentence;        // of Warning and Error events
  JsonValue fields;        // the whole object
};

// One line; nothing when it is not an event (other text on stderr).
std::optional<CaptureEvent> parseCaptureEvent(const QByteArray& line);

// A line of stderr without the program's name in front.
QString plainSentence(QString line);

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
