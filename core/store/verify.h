#pragma once
// Verifies checksums, counts and structure of captures and analyses.
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/store/stored_file.h"

namespace plastiscope {

struct VerifyReport {
  std::filesystem::path path;
  FileType kind = FileType::Other;
  std::vector<std::string> checks;  // passed checks, in words
  std::vector<std::string>
      notes;  // checks that were not possible, such as missing checksums
  std::vector<std::string> problems;  // empty = intact; each once, naming the object
};

// Checks the file in another process with limits (sandboxed_reader.h). Damage inside the file is reported as
// a problem, never thrown. InputError if there is no such file; Stopped.
VerifyReport verifyFile(const std::filesystem::path& file, const Progress& progress = Progress());

// A line of JSON: file, kind (capture, analysis, other), intact, checks, notes, problems.
std::string jsonOf(const VerifyReport& report);

// Runs inside the sandbox (sandboxed_reader.h): limits this process, performs the task with that name and
// returns its output. UsageError for unknown names, ResourceError when the memory limit is reached.
std::string answerInSandbox(const std::filesystem::path& file, const std::string& task);

}  // namespace plastiscope
