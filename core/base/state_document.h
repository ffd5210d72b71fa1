#pragma once
// Files with the program's own state: format, version, checksum and content.
#include <cstdint>
#include <string>

#include "core/base/json_value.h"

namespace plastiscope {

// Open tabs of a window (widgets/state/session_state.h).
constexpr const char* kSessionFormat = "plastiscope-session";
constexpr int kSessionVersion = 1;
// File name of the session of a folder of captures and analyses.
constexpr const char* kLibrarySession = "library.json";

std::uint32_t stateCheckSum(const Json& content);
// Text of such a file. The format comes first, so that a truncated file can still be identified.
std::string stateDocument(const std::string& format, int version, const Json& content);

}  // namespace plastiscope
