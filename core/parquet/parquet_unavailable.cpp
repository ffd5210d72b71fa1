// Replaces core/parquet in a build without Arrow: reports that Parquet is missing.
#include "core/base/error.h"
#include "core/parquet/qk_table.h"
#include "core/parquet/table_rows.h"

namespace plastiscope {

namespace {

[[noreturn]] void refuse() {
  throw UsageError(
      "this build cannot read or write Parquet, Arrow, CSV and compressed files: it was configured without "
      "Arrow "
      "(install Arrow with "
      "Parquet, or "
      "the Python package pyarrow, and configure again)");
}

}  // namespace

bool parquetAvailable() {
  return false;
}

QkTableIndex readQkIndex(const std::filesystem::path&) {
  refuse();
}

void readQkVectors(const std::filesystem::path&, std::int64_t,
                   const std::function<void(std::span<const float>)>&) {
  refuse();
}

std::string encodeQkTable(const QkTable&) {
  refuse();
}

void readTableRows(const std::filesystem::path&, TableKind, const TableRowSink&) {
  refuse();
}

ByteReader openCompressed(const std::filesystem::path&) {
  refuse();
}

}  // namespace plastiscope
