#pragma once
// The file of one head in the qk-sniffer layout: columns bucket, example_id, position (int32), vector (a list
// of d float32 per row), sliding_window (int32, int64 or all null), token_str (ignored). No Arrow type leaves
// core/parquet.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plastiscope {

// Whether this build reads and writes Parquet files. Without it all functions of this folder throw
// UsageError.
bool parquetAvailable();

// Everything but the vectors.
struct QkTableIndex {
  std::vector<std::int32_t> bucket, exampleId, position;  // [rows]
  std::optional<std::int32_t> slidingWindow;              // the same in all rows; nothing: no window
  std::int64_t headDim = 0;                               // as counted; readQkVectors checks every row
  bool tokenStrings = false;                              // there is a column token_str
  bool operator==(const QkTableIndex&) const = default;
};

// InputError names file, column and row: not a Parquet file, cut short, a column missing or of another type,
// a missing value, several windows. ResourceError when the rows do not fit in memory.
QkTableIndex readQkIndex(const std::filesystem::path& file);

// All vectors in order, in blocks of whole rows. InputError: a row that is not `headDim` values long, a value
// that is not a finite number, and as above.
void readQkVectors(const std::filesystem::path& file, std::int64_t headDim,
                   const std::function<void(std::span<const float> rows)>& block);

struct QkTable {
  std::span<const std::int32_t> bucket, exampleId, position;  // [rows]
  std::span<const float> vectors;                             // [rows, headDim]
  std::int64_t headDim = 0;
  std::optional<std::int32_t>
      slidingWindow;  // nothing: the column has the null type, as the author's tool writes it
};

// The bytes of the file, Zstandard compressed.
std::string encodeQkTable(const QkTable& table);

}  // namespace plastiscope
