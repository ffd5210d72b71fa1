#pragma once
// New files and folders that are not yet what they will be: beside their final place, under a name that
// nobody can guess, opened exclusively, gone unless they take the place.
#include <filesystem>
#include <span>
#include <string_view>

#include "core/base/descriptor.h"

namespace plastiscope {

class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path place);  // InputError, ResourceError
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return m_path; }
  const std::filesystem::path& place() const { return m_place; }
  void write(std::span<const std::byte> content);
  // Durable and closed, whoever wrote the content. Before take() or exchange().
  void finish();
  void take();  // the place, durably; what was there is gone

  // The same as one of a set: what was there comes back, unless keep() follows.
  void exchange();
  void keep();

 private:
  enum class State { Beside, New, Exchanged, Kept };
  void rename();

  std::filesystem::path m_place, m_path;
  Descriptor m_descriptor;
  State m_state = State::Beside;
};

class TemporaryFolder {
 public:
  explicit TemporaryFolder(std::filesystem::path place);  // InputError, ResourceError
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return m_path; }
  void take();  // an empty place, durably

 private:
  std::filesystem::path m_place, m_path;
  bool m_placed = false;
};

// Whether a file of this name, beside `place`, is one that a killed process left.
bool isTemporaryNameFor(std::string_view name, const std::filesystem::path& place);

}  // namespace plastiscope
