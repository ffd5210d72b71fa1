#pragma once
// The command line under test, and matchers for its output.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/run_program.h"

namespace plastiscope::test {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Runs plastiscope-cli with `input` as standard input.
inline ProgramResult run(const std::vector<std::string>& arguments, const std::string& input = "") {
  ProgramOptions options;
  options.input = input;
  return runProgram("plastiscope-cli", arguments, options);
}

}  // namespace plastiscope::test
