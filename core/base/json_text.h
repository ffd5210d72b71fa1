#pragma once
// JSON for people to read: files of settings and what --json prints.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace plastiscope {

// A line a value, keys sorted, UTF-8. Paths and names are put in as their text (path_text.h); a byte that
// still is no UTF-8 becomes U+FFFD, so that one bad name never keeps the rest from being written.
std::string indentedJson(const Json& value, int indent = 2);

// "line 3, column 5" of a byte (from 0) of a text that begins at `firstLine`; columns count bytes.
std::string placeInText(std::string_view text, std::size_t byte, std::int64_t firstLine = 1);

// A record that begins at this line of a file: as parseJson, with places in that file; a key that stands
// twice in one object is refused.
Json parseJsonRecord(std::string_view text, const std::filesystem::path& file, std::int64_t line);

}  // namespace plastiscope
