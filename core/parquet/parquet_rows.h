#pragma once
// Reads rows of Parquet files as records for corpora. Arrow types stay inside core/parquet.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/json_value.h"

namespace plastiscope {

// Takes the index of a row (from 0) and its values as a JSON object, null for missing values. Returns false
// to stop.
using ParquetRowSink = std::function<bool(std::int64_t row, Json record)>;

// Passes the rows in order, a few at a time; the file is never in memory as a whole. Reads `columns` (unknown
// names are skipped), or all with plain values (strings, numbers, booleans) if empty. InputError names file,
// column and row; UsageError in a build without Parquet.
void readParquetRows(const std::filesystem::path& file, const std::vector<std::string>& columns,
                     const ParquetRowSink& sink);

}  // namespace plastiscope
