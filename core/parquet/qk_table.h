#pragma once
// Parquet file of one head in the layout of qk-sniffer: columns bucket, example_id, position (int32), vector
// (list of d float32 per row), sliding_window (int32, int64 or all null), token_str (ignored). Arrow types
// stay inside core/parquet.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace plastiscope {

// Whether this build supports Parquet. If not, all functions of this folder throw UsageError.
bool parquetAvailable();

// All columns except the vectors.
struct QkTableIndex {
  std::vector<std::int32_t> bucket, exampleId, position;  // [rows]
  std::optional<std::int32_t> slidingWindow;              // the same in all rows; nothing: no window
  std::int64_t headDim = 0;                               // from the footer; readQkVectors checks every row
  bool tokenStrings = false;                              // whether a column token_str exists
  bool operator==(const QkTableIndex&) const = default;
};

// InputError names file, column and row: not a Parquet file, truncated, a column missing or of another type,
// a missing value, several windows. ResourceError when the rows do not fit in memory.
QkTableIndex readQkIndex(const std::filesystem::path& file);

// Passes all vectors in order, in blocks of whole rows. InputError as above, and for a row of another length
// than `headDim` or a value that is not finite.
void readQkVectors(const std::filesystem::path& file, std::int64_t headDim,
                   const std::function<void(std::span<const float> rows)>& block);

struct QkTable {
  std::span<const std::int32_t> bucket, exampleId, position;  // [rows]
  std::span<const float> vectors;                             // [rows, headDim]
  std::int64_t headDim = 0;
  std::optional<std::int32_t> slidingWindow;  // nothing: column of null type, as the author's tool writes
};

// The bytes of the file, compressed with Zstandard.
std::string encodeQkTable(const QkTable& table);

}  // namespace plastiscope
