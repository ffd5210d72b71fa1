#pragma once
// Bytes as a file, for parsers that open one: in memory, where the system keeps shared memory.
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace plastiscope::test {

// A folder for the files of this process, removed on a normal exit.
class FolderInMemory {
 public:
  FolderInMemory() {
    const std::filesystem::path shared = "/dev/shm";
    const auto base = std::filesystem::exists(shared) ? shared : std::filesystem::temp_directory_path();
    m_path = base / ("plastiscope-fuzz-" + std::to_string(::getpid()));
    std::filesystem::create_directories(m_path);
  }
  ~FolderInMemory() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  FolderInMemory(const FolderInMemory&) = delete;
  FolderInMemory& operator=(const FolderInMemory&) = delete;
  const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
};

// The file of that name with these bytes; valid until the next one of that name.
inline std::filesystem::path fileOfBytes(const std::string& name, std::string_view bytes) {
  static const FolderInMemory folder;
  std::ofstream(folder.path() / name, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return folder.path() / name;
}

// The fuzzer's input for a target.
inline std::string_view bytesOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace plastiscope::test
