#include <fcntl.h>

#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/weights/byte_source.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

class FileBytes final : public ByteSource {
 public:
  explicit FileBytes(const fs::path& file) : m_file(file) {}

  const fs::path& path() const override { return m_file.path(); }
  std::uint64_t size() const override { return m_file.size(); }

  void read(std::uint64_t offset, std::span<std::byte> out) const override {
    const std::size_t got = m_file.read(offset, out);
    if (got == out.size()) return;
    throw InputError({path(), "byte " + std::to_string(offset + got),
                      std::to_string(size()) + " bytes as when it was opened",
                      "the end of the file (it was cut short meanwhile)"});
  }

  void forget(std::uint64_t offset, std::uint64_t size) const override {
    // Only advice: an answer that the system does not follow it changes nothing.
    ::posix_fadvise(m_file.descriptor(), static_cast<off_t>(offset), static_cast<off_t>(size),
                    POSIX_FADV_DONTNEED);
  }

 private:
  InputFile m_file;
};

}  // namespace

std::shared_ptr<const ByteSource> openBytes(const fs::path& file) {
  return std::make_shared<const FileBytes>(file);
}

}  // namespace plastiscope
