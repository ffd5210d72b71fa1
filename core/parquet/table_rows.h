#pragma once
// Reads what Arrow knows for corpora: rows of tables as records, and compressed files. Arrow types stay
// inside core/parquet. InputError names file, column and row; UsageError in a build without Arrow.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

#include "core/base/json_value.h"

namespace plastiscope {

enum class TableKind { Parquet, Arrow, Csv };  // Arrow: an IPC stream or file; CSV: with a header

// Takes the index of a row (from 0) and its values as a JSON object, null for missing values. Returns false
// to stop.
using TableRowSink = std::function<bool(std::int64_t row, Json record)>;

// Passes the rows in order, with one batch of them in memory. Texts, numbers, booleans, lists and structures
// are kept, dates and times as text; other columns are left out.
void readTableRows(const std::filesystem::path& file, TableKind kind, const TableRowSink& sink);

// Fills the start of `out`; returns the number of bytes, 0 at the end.
using ByteReader = std::function<std::size_t(std::span<std::byte> out)>;
// Decompresses a .gz or .zst file block by block.
ByteReader openCompressed(const std::filesystem::path& file);

}  // namespace plastiscope
