#pragma once
// A table that grows row by row.
#include <string>
#include <variant>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

using Cell = std::variant<std::int64_t, double, std::string>;

// Empty columns of the three types.
Column integers(std::string name);
Column numbers(std::string name);
Column texts(std::string name);

class TableBuilder {
 public:
  TableBuilder(std::string name, std::vector<Column> columns);
  // One cell a column, of its type; Error (internal) otherwise.
  void row(const std::vector<Cell>& cells);
  Table take() { return std::move(m_table); }

 private:
  Table m_table;
};

}  // namespace plastiscope
