#pragma once
// Detects and reads plain text of unknown encoding.
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/progress.h"

namespace plastiscope {

// Checks the first 4 KiB: valid UTF-8, no zero bytes, not empty. False for a file that cannot be read.
bool looksLikeText(const std::filesystem::path& file);

// The encoding of a text that is not UTF-8, "UTF-16 (little-endian)" for example, from its byte order mark or
// the zero byte beside its first letter; "" when unknown.
std::string foreignEncodingOf(std::string_view start);

// The content of a text file without byte order mark; bytes that are not UTF-8 are replaced, with a warning.
// InputError for UTF-16, UTF-32, zero bytes and binary data.
std::string plainTextOf(std::string bytes, const std::filesystem::path& file, Progress& progress);

// Replaces invalid UTF-8 by U+FFFD, with a warning that begins with `where`.
std::string repairedText(std::string_view bytes, const std::string& where, Progress& progress);

}  // namespace plastiscope
