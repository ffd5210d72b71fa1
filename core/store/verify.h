#pragma once
// Checksums, counts and structure of captures and analyses.
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/store/stored_file.h"

namespace plastiscope {

struct VerifyReport {
  std::filesystem::path path;
  FileType kind = FileType::Other;
  std::vector<std::string> checks;  // what was looked at and found right, for people
  std::vector<std::string>
      notes;  // what could not be looked at, such as checksums that another writer left out
  std::vector<std::string> problems;  // empty = intact; each once, naming the object
};

// Never throws for what is wrong inside the file: that becomes a problem. By another process with limits
// (sandboxed_reader.h). InputError when there is no such file; Stopped when progress asks for it.
VerifyReport verifyFile(const std::filesystem::path& file, const Progress& progress = Progress());

// A line of JSON: file, kind (capture, analysis, other), intact, checks, notes, problems.
std::string jsonOf(const VerifyReport& report);

// Inside the sandbox (sandboxed_reader.h): limits this process, does the task with that name, and returns
// what is to be printed. UsageError for other names, ResourceError when the limit of memory is reached.
std::string answerInSandbox(const std::filesystem::path& file, const std::string& task);

}  // namespace plastiscope
