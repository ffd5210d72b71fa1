#include "core/compare/table_builder.h"

#include "core/base/error.h"

namespace plastiscope {

Column integers(std::string name) {
  return {std::move(name), std::vector<std::int64_t>()};
}

Column numbers(std::string name) {
  return {std::move(name), std::vector<double>()};
}

Column texts(std::string name) {
  return {std::move(name), std::vector<std::string>()};
}

TableBuilder::TableBuilder(std::string name, std::vector<Column> columns)
    : m_table{std::move(name), std::move(columns)} {}

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

}  // namespace plastiscope
