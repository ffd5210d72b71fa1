#include "core/base/table.h"

#include "core/base/error.h"
#include "core/base/foreign_text.h"

namespace plastiscope {

namespace {

template <typename Values>
const Values& typed(const Table& table, std::string_view name) {
  const Column* column = table.find(name);
  const Values* values = column == nullptr ? nullptr : std::get_if<Values>(&column->values);
  if (values == nullptr) {
    throw Error(ErrorKind::Internal,
                "table " + table.name + " has no column " + std::string(name) + " of that type");
  }
  return *values;
}

}  // namespace

std::size_t Table::rows() const {
  if (columns.empty()) return 0;
  return std::visit([](const auto& values) { return values.size(); }, columns.front().values);
}

const Column* Table::find(std::string_view column) const {
  for (const Column& candidate : columns) {
    if (candidate.name == column) return &candidate;
  }
  return nullptr;
}

const std::vector<std::int64_t>& Table::integers(std::string_view column) const {
  return typed<std::vector<std::int64_t>>(*this, column);
}

const std::vector<double>& Table::numbers(std::string_view column) const {
  return typed<std::vector<double>>(*this, column);
}

const std::vector<std::string>& Table::texts(std::string_view column) const {
  return typed<std::vector<std::string>>(*this, column);
}

std::string Table::cellText(std::size_t column, std::size_t row) const {
  const ColumnValues& values = columns.at(column).values;
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values))
    return std::to_string(integers->at(row));
  if (const auto* numbers = std::get_if<std::vector<double>>(&values)) return numberText(numbers->at(row));
  return std::get<std::vector<std::string>>(values).at(row);
}

Column integers(std::string name) {
  return {std::move(name), std::vector<std::int64_t>()};
}

Column numbers(std::string name) {
  return {std::move(name), std::vector<double>()};
}

Column texts(std::string name) {
  return {std::move(name), std::vector<std::string>()};
}

void TableBuilder::row(const std::vector<Cell>& cells) {
  if (cells.size() != m_table.columns.size())
    throw Error(ErrorKind::Internal, "table " + m_table.name + ": a row of " + std::to_string(cells.size()) +
                                         " cells for " + std::to_string(m_table.columns.size()) + " columns");
  for (std::size_t c = 0; c < cells.size(); ++c) {
    Column& column = m_table.columns[c];
    if (cells[c].index() != column.values.index())
      throw Error(ErrorKind::Internal,
                  "table " + m_table.name + ", column " + column.name + ": a cell of another type");
    std::visit(
        [&](auto& values) {
          using Value = typename std::decay_t<decltype(values)>::value_type;
          values.push_back(std::get<Value>(cells[c]));
        },
        column.values);
  }
}

const Table* findTable(const std::vector<Table>& tables, std::string_view name) {
  for (const Table& table : tables) {
    if (table.name == name) return &table;
  }
  return nullptr;
}

Table* findTable(std::vector<Table>& tables, std::string_view name) {
  return const_cast<Table*>(findTable(std::as_const(tables), name));
}

std::string toCsv(const Table& table) {
  std::string text;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    text += (c == 0 ? "" : ",") + csvField(table.columns[c].name);
  text += '\n';
  for (std::size_t r = 0; r < table.rows(); ++r) {
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      text += (c == 0 ? "" : ",") + csvField(table.cellText(c, r));
    text += '\n';
  }
  return text;
}

}  // namespace plastiscope
