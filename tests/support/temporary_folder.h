#pragma once
#include <filesystem>
#include <string>

namespace plastiscope::test {

// A folder of its own for one test, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return m_path; }
  std::filesystem::path operator/(const std::string& name) const { return m_path / name; }
  // Names of everything directly inside, sorted.
  std::string listing() const;

 private:
  std::filesystem::path m_path;
};

}  // namespace plastiscope::test
