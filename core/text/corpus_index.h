#pragma once
// Short fields of records, to list and select them.
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/progress.h"

namespace plastiscope {

// Short values as text: id, language, token_length, primary_task, difficulty and the like. Numbers are
// written as in JSON; texts of more than kLongestShortField bytes, lists and objects are left out.
using ShortFields = std::map<std::string, std::string>;
inline constexpr std::size_t kLongestShortField = 200;

ShortFields shortFields(const Json& record);
// Short fields of all records of a .json or .jsonl file, with one record in memory at a time. Reports bytes
// read. InputError names the line of a record that is not an object.
std::vector<ShortFields> readShortFields(const std::filesystem::path& file, Progress& progress);

// Whether for each key of `select` the field has one of the wanted values.
bool isSelected(const ShortFields& fields, const std::vector<std::pair<std::string, std::string>>& select);

}  // namespace plastiscope
