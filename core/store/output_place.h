#pragma once
// Checks, before any work, whether an output may be written to a place: a new name, or a file of the same
// kind written by this program. Refuses inputs of the work, files of a model and anything but regular files.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

// A kind of file that this program writes, and the function that recognises it.
struct OutputKind {
  std::string name;                                               // "an analysis"
  std::function<bool(const std::filesystem::path& file)> isOurs;  // for regular files; InputError: no
};
OutputKind captureOutput();
OutputKind captureOrDamagedOutput();  // also a damaged capture that cannot be read
OutputKind analysisOutput();
OutputKind tableOutput(const Table& columns);  // CSV, by its header line

struct OutputRules {
  std::vector<std::filesystem::path> inputs = {};  // files, and folders with their contents; "" = none
  bool force = false;                              // regular files of other programs may be replaced
  std::string remedy = "--force replaces it";      // advice in messages about files of other programs
};

// InputError if `file` may not be written. Creates nothing.
void requireOutputPlace(const std::filesystem::path& file, const OutputKind& kind, const OutputRules& rules);

// ResourceError "OUT: NEED 5 MB of disk, 2 MB are free" if the disk of `out` has less space.
void requireDisk(const std::filesystem::path& out, double bytes, const std::string& need);

// Whether two paths are the same file (device and inode), through any links.
bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace plastiscope
