#pragma once
// Plain text of unknown origin: whether a file is one, and which of its bytes are text.
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/progress.h"

namespace plastiscope {

// Judged by its first 4 KiB: valid UTF-8 without zero bytes, and not empty. A file that cannot be read is no
// text.
bool looksLikeText(const std::filesystem::path& file);

// What the first bytes of a text say that is not UTF-8: "UTF-16 (little-endian)"; "" when they say nothing.
// By the byte order mark, or by the zero byte beside the first letter.
std::string foreignEncodingOf(std::string_view start);

// A whole file that is nothing but text, without its byte order mark; what is not UTF-8 is replaced, with a
// warning. InputError for UTF-16, UTF-32, zero bytes and binary data.
std::string plainTextOf(std::string bytes, const std::filesystem::path& file, Progress& progress);

// Invalid UTF-8 replaced by U+FFFD, with a warning that begins with `where`.
std::string repairedText(std::string_view bytes, const std::string& where, Progress& progress);

}  // namespace plastiscope
