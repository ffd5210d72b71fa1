#pragma once
// Opens untrusted Parquet files, for use in core/parquet only (resources/help/limits.md). Sizes are bounded
// by the file, unknown encodings are refused by name, page headers are limited to a fixed size.
#include <arrow/memory_pool.h>
#include <parquet/column_reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace plastiscope {

class ParquetInput {
 public:
  // Reads and checks the footer: row counts, sums over row groups, offsets of all column chunks.
  explicit ParquetInput(std::filesystem::path file);

  const std::filesystem::path& file() const { return m_file; }
  std::int64_t rows() const { return m_rows; }
  int rowGroups() const { return m_reader->metadata()->num_row_groups(); }
  std::int64_t rowsOf(int group) const { return m_reader->metadata()->RowGroup(group)->num_rows(); }
  std::int64_t valuesOf(int leaf) const;  // over all row groups
  const parquet::SchemaDescriptor& schema() const { return *m_reader->metadata()->schema(); }
  // Leaf columns of a top-level field; empty when there is no such field.
  std::vector<int> leavesOf(const std::string& field) const;
  std::shared_ptr<parquet::ColumnReader> column(int group, int leaf) const {
    return m_reader->RowGroup(group)->Column(leaf);
  }
  // For reading rows, after which no other call is allowed.
  std::unique_ptr<parquet::ParquetFileReader> takeReader() { return std::move(m_reader); }
  arrow::MemoryPool* pool() const { return m_pool.get(); }
  [[noreturn]] void fail(const std::string& place, const std::string& expected,
                         const std::string& found) const {
    throw InputError({m_file, place, expected, found});
  }

 private:
  void checkEnds() const;
  void open();
  void checkRows();
  void checkChunk(const parquet::ColumnChunkMetaData& chunk, const std::string& place) const;

  std::filesystem::path m_file;
  std::uint64_t m_bytes = 0;
  std::int64_t m_rows = 0;
  std::unique_ptr<arrow::MemoryPool> m_pool;
  std::unique_ptr<parquet::ParquetFileReader> m_reader;
};

// Runs `work` and turns exceptions of the library into an InputError about `file`.
void withParquetErrors(const std::filesystem::path& file, const std::function<void()>& work);

}  // namespace plastiscope
