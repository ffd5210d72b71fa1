// Replaces core/parquet in a build without Arrow: reports that Parquet is missing.
#include "core/base/error.h"
#include "core/parquet/parquet_rows.h"
#include "core/parquet/qk_table.h"

namespace plastiscope {

namespace {

[[noreturn]] void refuse() {
  throw UsageError(
      "this build cannot read or write Parquet files: it was configured without Arrow (install Arrow with "
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

void readParquetRows(const std::filesystem::path&, const std::vector<std::string>&, const ParquetRowSink&) {
  refuse();
}

}  // namespace plastiscope
