#pragma once
// GGUF v2 and v3: metadata and tensor directory.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/weights/tensor_directory.h"

namespace plastiscope {

// A metadata value. Nested arrays and unsigned values above int64 are refused.
using GgufValue = std::variant<bool, std::int64_t, double, std::string, std::vector<bool>,
                               std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>>;

class GgufFile final : public DirectorySource {
 public:
  GgufFile(std::filesystem::path path, std::map<std::string, GgufValue> metadata, TensorDirectory directory)
      : DirectorySource(std::move(path), std::move(directory)), m_metadata(std::move(metadata)) {}
  const std::map<std::string, GgufValue>& metadata() const { return m_metadata; }
  // Nothing when the key is absent; InputError when the value has another type.
  std::optional<std::int64_t> integer(const std::string& key) const;
  std::optional<double> number(const std::string& key) const;
  std::optional<bool> flag(const std::string& key) const;
  std::optional<std::string> text(const std::string& key) const;

 private:
  std::map<std::string, GgufValue> m_metadata;
};

// One part of a split model: "NAME-00002-of-00005.gguf".
struct GgufPart {
  std::string name;
  std::int64_t number = 0, count = 0;
  std::string fileName(std::int64_t ofNumber) const;
};
std::optional<GgufPart> ggufPartOf(const std::string& fileName);  // nothing for other names
// Whether the name is that of a model: no later part, no vision projector ("mmproj").
bool isGgufModelName(const std::string& fileName);

std::shared_ptr<const GgufFile> openGguf(const std::filesystem::path& file);
bool looksLikeGguf(const std::filesystem::path& file);  // by its first four bytes

// ---- Reads the directory of a GGUF file. Every count is checked against the remaining bytes before use.

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
