#pragma once
// A file that is read. Everything that opens a path of a person or of a stranger goes through here: folders,
// named pipes and devices are refused, and never waited for.
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/base/descriptor.h"

namespace plastiscope {

class InputFile {
 public:
  // InputError when it is missing, unreadable or no regular file.
  explicit InputFile(std::filesystem::path file);
  const std::filesystem::path& path() const { return m_path; }
  std::uint64_t size() const { return m_size; }  // when it was opened
  int descriptor() const { return m_descriptor.get(); }
  // As many bytes as there are from `offset`, at most out.size(). InputError when reading fails.
  std::size_t read(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  std::filesystem::path m_path;
  Descriptor m_descriptor;
  std::uint64_t m_size = 0;
};

// The first `bytes` of a file, fewer when it has fewer. InputError as above.
std::string readStart(const std::filesystem::path& file, std::size_t bytes);

// "a folder", "a named pipe", ...: what stands at a place, by its st_mode.
std::string kindOfPlace(unsigned mode);

}  // namespace plastiscope
