#pragma once
// JSON from files that strangers made.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace plastiscope {

using Json = nlohmann::json;  // keys sorted, which makes dump() canonical

// Parses JSON text; InputError names `file` and the byte on a syntax error, on nesting deeper than 64, and, when
// `refuseDuplicateKeys` is set, on a key that stands twice in one object.
Json parseJson(std::string_view text, const std::filesystem::path& file, bool refuseDuplicateKeys = false);

Json readJsonFile(const std::filesystem::path& file, std::size_t maxBytes = std::size_t{1} << 30);

// Sorted keys, no spaces, UTF-8: what settings hashes are made of.
std::string canonicalJson(const Json& value);

}  // namespace plastiscope
