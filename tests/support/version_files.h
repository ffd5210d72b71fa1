#pragma once
// Files written by earlier versions of the program (tests/data/versions).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace plastiscope::test {

inline std::vector<std::string> versions() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "versions")) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  return names;
}

// Copies the files of a version into an empty folder and unpacks them.
inline void unpackVersion(const std::string& version, const std::filesystem::path& folder) {
  std::filesystem::copy(std::filesystem::path(PLASTISCOPE_TEST_DATA) / "versions" / version, folder);
  for (const char* packed : {"capture.h5.gz", "analysis.h5.gz"})
    ASSERT_EQ(std::system(("gzip -d '" + (folder / packed).string() + "'").c_str()), 0);
}

}  // namespace plastiscope::test
