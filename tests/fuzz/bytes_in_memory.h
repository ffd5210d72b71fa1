#pragma once
// A weight file that exists only in memory.
#include <algorithm>
#include <span>

#include "core/base/error.h"
#include "core/weights/tensor_directory.h"

namespace plastiscope::test {

class BytesInMemory final : public ByteSource {
 public:
  explicit BytesInMemory(std::span<const std::byte> bytes) : m_bytes(bytes) {}
  const std::filesystem::path& path() const override { return m_path; }
  std::uint64_t size() const override { return m_bytes.size(); }
  void read(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset > m_bytes.size() || out.size() > m_bytes.size() - offset) {
      throw Error(ErrorKind::Internal,
                  "bytes outside the file are asked for");  // not an InputError: a finding
    }
    std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
  }
  void dropPageCache(std::uint64_t, std::uint64_t) const override {}

 private:
  std::span<const std::byte> m_bytes;
  std::filesystem::path m_path = "memory";
};

}  // namespace plastiscope::test
