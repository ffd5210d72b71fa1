#pragma once
// JSON from files that strangers made. Headers use json_value.h.
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/json_value.h"

namespace plastiscope {

// Parses JSON text, in which NaN and Infinity may stand as Python writes them; InputError names `file` and
// the byte on a syntax error, on nesting deeper than 64, on more values than a text of its size has (their
// memory would be beyond six times the text and 256 MB), and, when `refuseDuplicateKeys` is set, on a key
// that stands twice in one object.
Json parseJson(std::string_view text, const std::filesystem::path& file, bool refuseDuplicateKeys = false);

Json readJsonFile(const std::filesystem::path& file, std::size_t maxBytes = std::size_t{1} << 30);

// Frees what a value holds without asking for memory. The library's destructor asks for it, in a list's size,
// and cannot say that there is none: the owner of a value with long lists empties it first.
void emptyJson(Json& value) noexcept;

// JSON for a script element of HTML: the same value, and no text in it can end the element.
std::string scriptText(std::string_view json);

// "line 3, column 5" of a byte (from 0) of a text that begins at `firstLine`; columns count bytes.
std::string placeInText(std::string_view text, std::size_t byte, std::int64_t firstLine = 1);

// A record that begins at this line of a file: as parseJson, with places in that file; a key that stands
// twice in one object is refused.
Json parseJsonRecord(std::string_view text, const std::filesystem::path& file, std::int64_t line);

}  // namespace plastiscope
