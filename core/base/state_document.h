#pragma once
// The files in which the program keeps a state of its own: format, version, and a content with its check sum.
#include <cstdint>
#include <string>

#include "core/base/json_value.h"

namespace plastiscope {

// The open tabs of a window (widgets/state/session_store.h).
constexpr const char* kSessionFormat = "plastiscope-session";
constexpr int kSessionVersion = 1;
// The session of a folder of captures and analyses, by its name in there.
constexpr const char* kLibrarySession = "library.json";

std::uint32_t stateCheckSum(const Json& content);
// The text of such a file. The format stands first, so that a file that was cut short still says what it was.
std::string stateDocument(const std::string& format, int version, const Json& content);

}  // namespace plastiscope
