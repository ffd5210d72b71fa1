#pragma once
// Rows of any Parquet file as records, for corpora. No Arrow type leaves core/parquet.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/json_value.h"

namespace plastiscope {

// Takes the row's number (from 0) and its values as a JSON object; a missing value is null. False = no more
// are wanted.
using ParquetRowSink = std::function<bool(std::int64_t row, Json record)>;

// Hands out the rows in order, a few at a time: the file is never in memory as a whole. Only `columns`, when
// it is empty all that hold plain values (texts, numbers, yes/no; no lists and structures); names that are
// not there are skipped. InputError names file, column and row; UsageError in a build without Parquet.
void readParquetRows(const std::filesystem::path& file, const std::vector<std::string>& columns,
                     const ParquetRowSink& sink);

}  // namespace plastiscope
