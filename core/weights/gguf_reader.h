#pragma once
// Reads the directory of a GGUF file. Every count is checked against the remaining bytes before use.
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

// Reads values sequentially.
class GgufCursor {
 public:
  explicit GgufCursor(const ByteSource& file) : m_file(file) {}

  template <typename Number>
  Number number(const char* what);
  // Reads a length (64 bits) and that many bytes; InputError beyond `longest`.
  std::string text(const char* what, std::uint64_t longest);
  // Reads a count of items of at least `bytesEach` bytes; InputError beyond `most`.
  std::uint64_t count(const char* what, std::uint64_t bytesEach, std::uint64_t most);
  // Like count() for a metadata array; all arrays of a file together may hold 2^24 elements (vocabularies
  // have some hundred thousand).
  std::uint64_t arrayLength(std::uint64_t bytesEach);
  std::uint64_t position() const { return m_position; }
  const std::filesystem::path& path() const { return m_file.path(); }
  [[noreturn]] void refuse(const std::string& what, const std::string& expected,
                           const std::string& found) const;

 private:
  std::uint64_t left() const { return m_file.size() - m_position; }
  // Copies the next bytes; they must exist.
  void take(std::span<std::byte> out);
  const ByteSource& m_file;
  std::uint64_t m_position = 0;
  std::vector<std::byte> m_window;  // read-ahead buffer, from m_windowStart on
  std::uint64_t m_windowStart = 0;
  std::uint64_t m_arrayElementsLeft = std::uint64_t{1} << 24;
};

// Reads a metadata value after its key. InputError: nested arrays, unknown types, values beyond int64.
GgufValue readGgufValue(GgufCursor& cursor, const std::string& key);

struct GgufDirectory {
  std::map<std::string, GgufValue> metadata;
  std::vector<TensorInfo> tensors;  // in data order, with absolute offsets
};
GgufDirectory readGgufDirectory(const ByteSource& file);

}  // namespace plastiscope
