#pragma once
// A file read from its start, a block at a time.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/weights/byte_source.h"

namespace plastiscope {

class ByteStream {
 public:
  // A byte order mark at the start of the file is left out. InputError when the file cannot be read.
  explicit ByteStream(const std::filesystem::path& file);

  const std::filesystem::path& file() const { return m_source->path(); }
  // What has been read and not been dropped; valid until the next call of more() or drop().
  std::string_view view() const { return std::string_view(m_buffer).substr(m_dropped); }
  std::uint64_t offset() const { return m_end - view().size(); }  // of view() in the file
  // Reads the next block; false at the end of the file. InputError when view() is beyond what a record may
  // have.
  bool more();
  void drop(std::size_t bytes);  // from the start of view()

 private:
  std::shared_ptr<const ByteSource> m_source;
  std::string m_buffer;
  std::size_t m_dropped = 0;
  std::uint64_t m_end = 0;  // in the file: behind the buffer
};

// `size` bytes of the file from `offset` on.
std::string bytesAt(const std::filesystem::path& file, std::uint64_t offset, std::uint64_t size);

}  // namespace plastiscope
