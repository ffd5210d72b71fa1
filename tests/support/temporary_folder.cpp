#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <set>

namespace plastiscope::test {
namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "plastiscope-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw fs::filesystem_error("mkdtemp", pattern, {});
  m_path = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(m_path, ignored);
}

std::string TemporaryFolder::listing() const {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(m_path)) names.insert(entry.path().filename().string());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

}  // namespace plastiscope::test
