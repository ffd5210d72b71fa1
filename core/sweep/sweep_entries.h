#pragma once
// The file of a sweep as a list of entries, each knows its line. Only the files of this room include it.
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/option.h"

namespace plastiscope {

// A value as it would be given on the command line.
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
  std::vector<SweepEntry> models, texts, captures, analyses;  // one without values where there are none
};

// InputError, with the line: no TOML, an unknown section, another shape, a bad name or one that appears
// twice.
SweepEntries readEntries(const std::filesystem::path& file);

// InputError "FILE: line 3: ...", also for the sentence of a UsageError that `what` throws.
[[noreturn]] void refuseAt(const std::filesystem::path& file, std::size_t line, const std::string& sentence);
void sayingWhere(const std::filesystem::path& file, std::size_t line, const std::function<void()>& what);

// Whether it may stand in the name of a file everywhere.
inline constexpr std::size_t kLongestPlainName = 100;
bool isPlainName(const std::string& name);

}  // namespace plastiscope
