#pragma once
// A table of named columns: result of analyses, content of files, source of views.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace plastiscope {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Missing numbers are NaN; missing texts are empty. Yes/no columns are the texts of yesNo().
using ColumnValues = std::variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>>;

inline std::string yesNo(bool value) {
  return value ? "true" : "false";
}

struct Column {
  std::string name;
  ColumnValues values;
};

struct Table {
  std::string name;  // "heads", "profile", ... : the CSV file's base name
  std::vector<Column> columns;

  std::size_t rows() const;
  const Column* find(std::string_view column) const;  // nullptr when there is none
  // Typed access; Error (internal) when the column is missing or of another type.
  const std::vector<std::int64_t>& integers(std::string_view column) const;
  const std::vector<double>& numbers(std::string_view column) const;
  const std::vector<std::string>& texts(std::string_view column) const;
  // A cell as CSV text: shortest number text, "" when missing.
  std::string cellText(std::size_t column, std::size_t row) const;
};

// Empty columns of the three types.
Column integers(std::string name);
Column numbers(std::string name);
Column texts(std::string name);

using Cell = std::variant<std::int64_t, double, std::string>;

// A table that grows row by row.
class TableBuilder {
 public:
  TableBuilder(std::string name, std::vector<Column> columns) : m_table{std::move(name), std::move(columns)} {}
  // One cell per column, of its type; Error (internal) otherwise.
  void row(const std::vector<Cell>& cells);
  Table take() { return std::move(m_table); }

 private:
  Table m_table;
};

// nullptr when there is no table of that name.
const Table* findTable(const std::vector<Table>& tables, std::string_view name);
Table* findTable(std::vector<Table>& tables, std::string_view name);

// RFC 4180: header line, comma, quotes where needed, "\n" line ends.
std::string toCsv(const Table& table);

}  // namespace plastiscope
