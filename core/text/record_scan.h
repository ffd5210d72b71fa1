#pragma once
// The records of large text and JSON files, found block by block.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/weights/tensor_directory.h"

namespace plastiscope {

// ---- A file read from its start, a block at a time.

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

// ---- Finding the records of large JSON files without building them.

// A piece of a file that a real parser must look at.
struct RawRecord {
  std::string_view bytes;  // valid until the next record is asked for
  std::uint64_t offset;    // in the file
  std::int64_t line;       // where it starts, from 1
};

class RecordScanner {
 public:
  virtual ~RecordScanner() = default;
  // Nothing behind the last record. InputError when the file is cut off.
  virtual std::optional<RawRecord> next() = 0;
};

// The elements of the array that a file consists of. Only brackets and strings are looked at. InputError when
// it is not an array, or something stands behind it.
class JsonArrayScanner : public RecordScanner {
 public:
  explicit JsonArrayScanner(const std::filesystem::path& file);
  std::optional<RawRecord> next() override;

 private:
  void skipSpace();    // to the next character, reading on as needed
  void toNextToken();  // InputError at the end of the file
  char letter() const { return m_stream.view()[m_position]; }
  std::size_t elementEnd();  // in the stream's view
  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const;
  [[noreturn]] void refuseCut(const std::string& where) const;

  ByteStream m_stream;
  std::size_t m_position = 0;  // in the stream's view
  std::int64_t m_line = 1;
  bool m_first = true;
};

// The lines of a file that are not blank.
class JsonLineScanner : public RecordScanner {
 public:
  explicit JsonLineScanner(const std::filesystem::path& file) : m_stream(file) {}
  std::optional<RawRecord> next() override;

 private:
  ByteStream m_stream;
  std::size_t m_used = 0;  // of the stream's view, by the last record
  std::int64_t m_line = 0;
};

// \uD8xx without a \uDCxx behind it, or the reverse, becomes \uFFFD. Returns how many.
std::int64_t replaceLoneSurrogates(std::string& json);

}  // namespace plastiscope
