#pragma once
// Parses JSON from untrusted files. Headers include json_value.h instead.
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/json_value.h"

namespace plastiscope {

// Parses JSON text, including NaN and Infinity as Python writes them. InputError names `file` and the byte:
// syntax error, nesting deeper than 64, more values than the size of the text allows (memory above 256 MB and
// six times the text), or, with `refuseDuplicateKeys`, a key that occurs twice in one object.
Json parseJson(std::string_view text, const std::filesystem::path& file, bool refuseDuplicateKeys = false);

Json readJsonFile(const std::filesystem::path& file, std::size_t maxBytes = std::size_t{1} << 30);

// Frees a value without allocating. nlohmann's destructor allocates memory of a list's size and cannot report
// failure, so owners of long lists call this first.
void emptyJson(Json& value) noexcept;

// JSON for a script element in HTML: the same value, without text that could end the element.
std::string scriptText(std::string_view json);

// "line 3, column 5" of a byte (from 0) in a text that begins at `firstLine`; columns count bytes.
std::string placeInText(std::string_view text, std::size_t byte, std::int64_t firstLine = 1);

// Parses a record that begins at `line` of a file, as parseJson with places in that file; refuses duplicate
// keys.
Json parseJsonRecord(std::string_view text, const std::filesystem::path& file, std::int64_t line);

}  // namespace plastiscope
