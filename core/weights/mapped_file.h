#pragma once
// A regular file mapped read-only into memory.
#include <cstddef>
#include <filesystem>
#include <span>

namespace plastiscope {

class MappedFile {
 public:
  // InputError when the file is missing, unreadable, or not a regular file. An empty file maps to no bytes.
  explicit MappedFile(const std::filesystem::path& file);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::filesystem::path& path() const { return m_path; }
  std::span<const std::byte> bytes() const { return {m_data, m_size}; }
  // Drops the whole pages inside [offset, offset + size) from memory; reading them again loads them anew.
  void forget(std::size_t offset, std::size_t size) const;

 private:
  std::filesystem::path m_path;
  const std::byte* m_data = nullptr;
  std::size_t m_size = 0;
};

}  // namespace plastiscope
