#pragma once
// Reading CSV (RFC 4180) that strangers made.
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
// quote, zero bytes. Empty lines are skipped, a byte order mark too, and the apostrophe that csvField() puts
// in front of what a spreadsheet would take for a formula.
CsvText parseCsv(std::string_view text, const std::filesystem::path& file);

// A cell as a finite number, NaN when it is empty; InputError names line and column otherwise.
double numberCell(const CsvText& csv, std::size_t row, std::size_t column);

// A column is numeric (double, NaN = missing) when all its cells that are not empty are numbers and there is
// at least one; the others are text.
Table tableOf(const CsvText& csv, std::string name);

}  // namespace plastiscope
