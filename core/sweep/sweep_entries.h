#pragma once
// Entries of a sweep file, each with its line number. Included only by files of this folder.
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/option.h"

namespace plastiscope {

// A value in the form of the command line.
struct SweepValue {
  std::vector<std::string> texts;
  bool isFlag = false, flag = false, isList = false;
  std::size_t line = 0;
};

// A table of the file: [defaults.capture], one of [[model]], ...
struct SweepEntry {
  std::string name;  // its key `name`; "" = none
  std::size_t line = 0;
  std::map<std::string, SweepValue> values;  // by key, with hyphens; without `name`
};

struct SweepEntries {
  SweepEntry captureDefaults, analyzeDefaults;
  std::vector<SweepEntry> models, texts, captures, analyses;  // an entry without values if the file has none
};

// InputError with the line: invalid TOML, an unknown section, a wrong type, an invalid or repeated name.
SweepEntries readEntries(const std::filesystem::path& file);

// Throws InputError "FILE: line 3: ..."; addingPlace() does so for a UsageError that `what` throws.
[[noreturn]] void refuseAt(const std::filesystem::path& file, std::size_t line, const std::string& sentence);
void addingPlace(const std::filesystem::path& file, std::size_t line, const std::function<void()>& what);

// Whether the name is valid in file names on all systems.
inline constexpr std::size_t kLongestPlainName = 100;
bool isPlainName(const std::string& name);

}  // namespace plastiscope
