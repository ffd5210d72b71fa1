#pragma once
// Checksums, counts and structure of captures and analyses.
#include <filesystem>
#include <string>
#include <vector>

#include "core/store/capture_file.h"

namespace plastiscope {

struct VerifyReport {
  std::filesystem::path path;
  StoredKind kind = StoredKind::Other;
  std::vector<std::string> checks;  // what was looked at and found right, for people
  std::vector<std::string>
      notes;  // what could not be looked at, such as checksums that another writer left out
  std::vector<std::string> problems;  // empty = intact; each once, naming the object
};

// Never throws for what is wrong inside the file: that becomes a problem. InputError when there is no such
// file.
VerifyReport verifyFile(const std::filesystem::path& file);

}  // namespace plastiscope
