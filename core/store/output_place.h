#pragma once
// What may be written where. An output takes a new name, or the place of a file of its kind that this program
// made; never that of something the work reads, of a model's file, or of anything that is no regular file.
// Asked before any work.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

// A kind of file that this program writes, and how one of them is recognised.
struct OutputKind {
  std::string name;                                               // "an analysis"
  std::function<bool(const std::filesystem::path& file)> isOurs;  // of a regular file; InputError: no
};
OutputKind captureOutput();
OutputKind captureOrDamagedOutput();  // also what was a capture and cannot be read any more
OutputKind analysisOutput();
OutputKind tableOutput(const Table& columns);  // CSV, by its header line

struct OutputRules {
  std::vector<std::filesystem::path> inputs = {};  // files, and folders with all that is in them; "" is none
  bool force = false;                              // a foreign regular file may be replaced
  std::string wayOut = "--force replaces it";      // what to do about a foreign file
};

// InputError when `file` may not be written. Nothing is made.
void requireOutputPlace(const std::filesystem::path& file, const OutputKind& kind, const OutputRules& rules);

// Whether two names are one file: by device and number, whatever links lead there.
bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace plastiscope
