#pragma once
// Metadata of a qk-sniffer data set: _saver_state.json, or the lines of README.md without that file.
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/checked_json.h"
#include "core/store/qk_sniffer/layout.h"

namespace plastiscope {

struct SaverState {
  std::string model;  // "" if not stated
  // Texts and numbers by name; those of a nested block have its name as a prefix.
  CheckedJson metadata;

  // The first of `names` that exists, also with the prefix head_sampling_. InputError if it is of another
  // type or out of range.
  std::optional<std::int64_t> integer(const std::vector<std::string>& names, std::int64_t least,
                                      std::int64_t most) const;
};

// Reads both forms of the file: {model_name, model_metadata: {...}} and, older, {model_metadata: {MODEL:
// {...}}}.
SaverState readSaverState(const QkFolder& folder);

// The text of _saver_state.json.
std::string saverStateText(const std::string& model, const Json& metadata,
                           const std::map<std::int64_t, std::int64_t>& bucketCounts);

}  // namespace plastiscope
