#pragma once
// Parses untrusted CSV (RFC 4180).
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

struct CsvText {
  std::filesystem::path file;                  // for messages
  std::vector<std::string> header;             // names of the columns, unique, none empty
  std::vector<std::vector<std::string>> rows;  // every row as long as the header
  std::vector<std::size_t> lines;              // [rows] line of the file, from 1

  std::optional<std::size_t> column(std::string_view name) const;
};

// InputError names the line: no header, a repeated or empty column name, a row of another length, an open
// quote, zero bytes. Skips empty lines, a byte order mark, and the apostrophe that csvField() adds before
// text which spreadsheets take for a formula.
CsvText parseCsv(std::string_view text, const std::filesystem::path& file);

// A cell as a finite number, NaN if empty; InputError names line and column otherwise.
double numberCell(const CsvText& csv, std::size_t row, std::size_t column);

// Converts to a table. A column is numeric (double, NaN = missing) if it has at least one number and
// otherwise only empty cells; the others are text.
Table tableOf(const CsvText& csv, std::string name);

}  // namespace plastiscope
