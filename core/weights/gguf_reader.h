#pragma once
// Reads the directory of one GGUF file: every count is bounded by the bytes left before it is used.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/weights/gguf.h"
#include "core/weights/tensor_directory.h"

namespace plastiscope {

// Takes values from the front of a byte range.
class GgufCursor {
 public:
  explicit GgufCursor(const ByteSource& file) : m_file(file) {}

  template <typename Number>
  Number number(const char* what);
  // Length (64 bits) and bytes; at most `longest` bytes.
  std::string text(const char* what, std::uint64_t longest);
  // A count of things of at least `bytesEach` bytes, at most `most`.
  std::uint64_t count(const char* what, std::uint64_t bytesEach, std::uint64_t most);
  // The same for a metadata array; all arrays of a file together hold at most 2^24 elements (vocabularies
  // have some hundred thousand).
  std::uint64_t arrayLength(std::uint64_t bytesEach);
  std::uint64_t position() const { return m_position; }
  const std::filesystem::path& path() const { return m_file.path(); }
  [[noreturn]] void refuse(const std::string& what, const std::string& expected,
                           const std::string& found) const;

 private:
  std::uint64_t left() const { return m_file.size() - m_position; }
  // Copies the next bytes, which must be in the file.
  void take(std::span<std::byte> out);
  const ByteSource& m_file;
  std::uint64_t m_position = 0;
  std::vector<std::byte> m_window;  // read ahead, from m_windowStart on
  std::uint64_t m_windowStart = 0;
  std::uint64_t m_arrayElementsLeft = std::uint64_t{1} << 24;
};

// One metadata value after its key; InputError for nested arrays, unknown types, and values beyond int64.
GgufValue readGgufValue(GgufCursor& cursor, const std::string& key);

struct GgufDirectory {
  std::map<std::string, GgufValue> metadata;
  std::vector<TensorInfo> tensors;  // in data order, offsets absolute
};
GgufDirectory readGgufDirectory(const ByteSource& file);

}  // namespace plastiscope
