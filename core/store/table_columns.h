#pragma once
// Reads columns of tables from files: numeric columns of either type, checked lengths, clear errors.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.h"
#include "core/capture/head_list.h"

namespace plastiscope {

// A numeric column as doubles, whatever its stored type. InputError if it is missing, is text, or has another
// length than its table.
class NumberColumn {
 public:
  NumberColumn(const Table& table, std::string_view column);
  double operator[](std::size_t row) const;
  // A count or index; InputError if missing, not whole, or outside [0, limit).
  std::int64_t index(std::size_t row, std::int64_t limit = std::int64_t{1} << 53) const;

 private:
  const Table& m_table;
  const Column& m_column;
};

// A text column of full length; InputError otherwise.
const std::vector<std::string>& textColumn(const Table& table, std::string_view column);
// A text cell; "" if the column is missing or not text.
std::string textAt(const Table& table, std::string_view column, std::size_t row);

// The columns layer and head of a table.
class HeadColumns {
 public:
  explicit HeadColumns(const Table& table) : m_layer(table, "layer"), m_head(table, "head") {}
  HeadName operator[](std::size_t row) const { return {m_layer.index(row), m_head.index(row)}; }

 private:
  NumberColumn m_layer, m_head;
};

// A numeric cell as double; NaN if the column is missing, is text, or the cell is empty.
double numberAt(const Table& table, std::string_view column, std::size_t row);

}  // namespace plastiscope
