#pragma once
// The JSON lines that a command writes to stderr with --progress json.
#include <optional>
#include <string>
#include <string_view>

#include "core/base/progress.h"

namespace plastiscope {

struct ProgressEvent {
  enum class Kind { Start, Progress, Unit, Warning, Error, Done, Message };
  Kind kind = Kind::Progress;
  ProgressState progress;  // for Progress events
  std::string sentence;    // for Warning, Error and Message events
};

// Parses one line; nothing when it is no event (other text on stderr).
std::optional<ProgressEvent> parseProgressEvent(std::string_view line);

// Other text without the program's name: "unknown option" from "plastiscope-cli: unknown option".
std::string plainSentence(std::string_view line);

}  // namespace plastiscope
