#pragma once
// Reads records of large text and JSON files block by block.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/parquet/table_rows.h"

namespace plastiscope {

// ---- Sequential reading of a file in blocks; .gz and .zst files are decompressed.

class ByteStream {
 public:
  // Skips a byte order mark. InputError when the file cannot be read.
  explicit ByteStream(const std::filesystem::path& file);

  const std::filesystem::path& file() const { return m_file; }
  // The bytes that were read and not dropped; valid until the next call of more() or drop().
  std::string_view view() const { return std::string_view(m_buffer).substr(m_dropped); }
  std::uint64_t offset() const { return m_end - view().size(); }  // of view(), decompressed
  // Reads the next block; false at the end of the file. InputError when view() exceeds the maximum size of a
  // record.
  bool more();
  void drop(std::size_t bytes);  // from the start of view()

 private:
  std::filesystem::path m_file;
  ByteReader m_read;
  std::string m_buffer;
  std::size_t m_dropped = 0;
  std::uint64_t m_end = 0;  // file offset after the buffer
};

// ---- Boundaries of records in large JSON files, found without parsing values.

// The bytes of a record, not yet parsed.
struct RawRecord {
  std::string_view bytes;  // valid until the next call of next()
  std::uint64_t offset;    // in the file
  std::int64_t line;       // where it starts, from 1
};

class RecordScanner {
 public:
  virtual ~RecordScanner() = default;
  // Nothing after the last record. InputError when the file is truncated.
  virtual std::optional<RawRecord> next() = 0;
};

// The elements of a file that is one JSON array; only brackets and strings are interpreted. InputError when
// it is not an array or is followed by anything.
class JsonArrayScanner : public RecordScanner {
 public:
  explicit JsonArrayScanner(const std::filesystem::path& file);
  std::optional<RawRecord> next() override;

 private:
  void skipSpace();    // to the next character; reads blocks as needed
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
  std::size_t m_used = 0;  // bytes of the stream's view in the last record
  std::int64_t m_line = 0;
};

// Replaces \uD8xx without a following \uDCxx, and the reverse, by \uFFFD; returns the count.
std::int64_t replaceLoneSurrogates(std::string& json);

}  // namespace plastiscope
