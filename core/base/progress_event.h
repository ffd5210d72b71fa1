#pragma once
// The lines that a command writes to stderr with --progress json, for the program that started it.
#include <optional>
#include <string>
#include <string_view>

#include "core/base/progress.h"

namespace plastiscope {

struct ProgressEvent {
  enum class Kind { Start, Progress, Unit, Warning, Error, Done };
  Kind kind = Kind::Progress;
  ProgressState progress;  // of Progress events
  std::string sentence;    // of Warning and Error events
};

// One line; nothing when it is not an event (other text on stderr).
std::optional<ProgressEvent> parseProgressEvent(std::string_view line);

// What other text says: "unknown option" of "plastiscope-cli: unknown option".
std::string plainSentence(std::string_view line);

}  // namespace plastiscope
