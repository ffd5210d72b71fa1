#include "core/parquet/parquet_input.h"

#include <arrow/util/compression.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <limits>

#include "core/base/foreign_text.h"
#include "core/base/memory.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMaxRows = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMaxElements = 100'000;  // row groups, columns: about a kilobyte of memory each
constexpr const char* kMark = "PAR1";
constexpr std::int64_t kStreamBytes = std::int64_t{1} << 20;

// Memory limit for decoding, which holds one or two pages per column. Pages are about a megabyte, with long
// texts up to the whole file.
std::int64_t memoryCap(std::uint64_t fileBytes) {
  constexpr std::uint64_t kLeast = std::uint64_t{256} << 20, kRatio = 64;
  const std::uint64_t wanted = std::max(kLeast, kRatio * std::min(fileBytes, std::uint64_t{1} << 40));
  return static_cast<std::int64_t>(
      std::min<std::uint64_t>(wanted, std::max<std::uint64_t>(kLeast, availableMemoryBytes() / 2)));
}

std::uint64_t sizeOfFile(const fs::path& file) {
  std::error_code code;
  const fs::file_status status = fs::status(file, code);
  if (!fs::exists(status)) throw InputError({file, "", "", "there is no such file"});
  if (!fs::is_regular_file(status))
    throw InputError(
        {file, "", "a Parquet file", fs::is_directory(status) ? "a folder" : "a pipe or a device"});
  const std::uint64_t bytes = fs::file_size(file, code);
  if (code) throw InputError({file, "", "", "cannot be read: " + code.message()});
  return bytes;
}

}  // namespace

// The library's message becomes the cause of the error.
void withParquetErrors(const fs::path& file, const std::function<void()>& work) {
  constexpr const char* kDamaged = "the file is damaged, or of a kind of Parquet that is not read";
  try {
    work();
  } catch (const parquet::ParquetStatusException& error) {
    std::throw_with_nested(InputError(
        {file, "", "",
         error.status().IsOutOfMemory()
             ? "reading it needs far more memory than a file of its size should, or more than is free"
         : file.extension() == ".parquet" ? kDamaged
                                          : sanitized(error.status().message())}));
  } catch (const parquet::ParquetException&) {
    std::throw_with_nested(InputError({file, "", "", kDamaged}));
  }
}

ParquetInput::ParquetInput(fs::path file) : m_file(std::move(file)), m_bytes(sizeOfFile(m_file)) {
  checkEnds();
  withParquetErrors(m_file, [&] {
    open();
    checkRows();
  });
}

// Checks the four bytes at the begin and the end of the file.
void ParquetInput::checkEnds() const {
  constexpr std::uint64_t kLeast = 12;  // both markers and the size of the footer
  std::ifstream stream(m_file, std::ios::binary);
  const auto markAt = [&](std::uint64_t offset) {
    char mark[4] = {};
    stream.seekg(static_cast<std::streamoff>(offset));
    stream.read(mark, sizeof mark);
    return std::string(mark, sizeof mark);
  };
  const std::string begin = m_bytes < 4 ? kMark : markAt(0);
  if (begin != kMark) fail("", "a Parquet file, which begins with PAR1", "\"" + sanitized(begin) + "\"");
  if (m_bytes < kLeast) fail("", "", cutShort(m_bytes, kLeast));
  if (markAt(m_bytes - 4) != kMark)
    fail("", "", "the file is cut short: its " + withCommas(m_bytes) + " bytes end without the footer");
}

void ParquetInput::open() {
  m_pool = std::make_unique<arrow::CappedMemoryPool>(arrow::default_memory_pool(), memoryCap(m_bytes));
  parquet::ReaderProperties properties(m_pool.get());
  properties.enable_buffered_stream();  // do not read column chunks as a whole
  properties.set_buffer_size(kStreamBytes);
  properties.set_page_checksum_verification(true);
  const auto bytes = static_cast<std::int64_t>(std::min<std::uint64_t>(m_bytes, kMaxRows));
  properties.set_thrift_string_size_limit(static_cast<std::int32_t>(std::max<std::int64_t>(bytes, 64)));
  properties.set_thrift_container_size_limit(
      static_cast<std::int32_t>(std::clamp<std::int64_t>(bytes, 64, kMaxElements)));
  m_reader = parquet::ParquetFileReader::OpenFile(m_file.string(), false, properties);
}

void ParquetInput::checkRows() {
  const parquet::FileMetaData& metadata = *m_reader->metadata();
  m_rows = metadata.num_rows();
  if (m_rows < 0 || m_rows > kMaxRows) {
    fail("number of rows", "0 to " + withCommas(kMaxRows), std::to_string(m_rows));
  }
  std::int64_t sum = 0;
  for (int group = 0; group < metadata.num_row_groups(); ++group) {
    const std::string place = "row group " + std::to_string(group);
    const auto rowGroup = metadata.RowGroup(group);
    if (rowGroup->num_rows() < 0 || rowGroup->num_rows() > m_rows - sum) {
      fail(place, "at most " + withCommas(m_rows - sum) + " rows", std::to_string(rowGroup->num_rows()));
    }
    sum += rowGroup->num_rows();
    if (rowGroup->num_columns() != metadata.num_columns()) {
      fail(place, std::to_string(metadata.num_columns()) + " columns",
           std::to_string(rowGroup->num_columns()));
    }
    for (int leaf = 0; leaf < rowGroup->num_columns(); ++leaf) {
      checkChunk(*rowGroup->ColumnChunk(leaf),
                 place + ", column " + sanitized(metadata.schema()->Column(leaf)->path()->ToDotString()));
    }
  }
  if (sum != m_rows) fail("number of rows", withCommas(m_rows), withCommas(sum) + " in the row groups");
}

void ParquetInput::checkChunk(const parquet::ColumnChunkMetaData& chunk, const std::string& place) const {
  const std::int64_t size = chunk.total_compressed_size();
  std::int64_t start = chunk.data_page_offset();
  if (chunk.has_dictionary_page() && chunk.dictionary_page_offset() > 0) {
    start = std::min(start, chunk.dictionary_page_offset());
  }
  const auto bytes =
      static_cast<std::int64_t>(std::min<std::uint64_t>(m_bytes, std::numeric_limits<std::int64_t>::max()));
  if (start < 0 || size < 0 || start > bytes || size > bytes - start) {
    fail(place, "data inside the " + withCommas(bytes) + " bytes of the file",
         std::to_string(size) + " bytes at " + std::to_string(start));
  }
  if (!parquet::IsCodecSupported(chunk.compression())) {
    fail(place, "a compression that is read here",
         sanitized(arrow::util::Codec::GetCodecAsString(chunk.compression())));
  }
  if (chunk.num_values() < 0 || chunk.total_uncompressed_size() < 0) {
    fail(place, "counts of at least 0",
         std::to_string(std::min(chunk.num_values(), chunk.total_uncompressed_size())));
  }
}

std::int64_t ParquetInput::valuesOf(int leaf) const {
  std::int64_t values = 0;
  for (int group = 0; group < rowGroups(); ++group) {
    const std::int64_t more = m_reader->metadata()->RowGroup(group)->ColumnChunk(leaf)->num_values();
    if (more > std::numeric_limits<std::int64_t>::max() - values)
      return std::numeric_limits<std::int64_t>::max();
    values += more;
  }
  return values;
}

std::vector<int> ParquetInput::leavesOf(const std::string& field) const {
  std::vector<int> leaves;
  for (int leaf = 0; leaf < schema().num_columns(); ++leaf) {
    if (schema().GetColumnRoot(leaf)->name() == field) leaves.push_back(leaf);
  }
  return leaves;
}

}  // namespace plastiscope
