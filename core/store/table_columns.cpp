#include "core/store/table_columns.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace plastiscope {

namespace {

const Column& checkedColumn(const Table& table, std::string_view name, bool text) {
  const Column* column = table.find(name);
  const std::string place = "table " + table.name + ", column " + std::string(name);
  if (column == nullptr) throw InputError(place + ": expected in every analysis, but it is missing");
  if (std::holds_alternative<std::vector<std::string>>(column->values) != text) {
    throw InputError(place + (text ? ": expected text, found numbers" : ": expected numbers, found text"));
  }
  const auto length = std::visit([](const auto& values) { return values.size(); }, column->values);
  if (length != table.rows()) {
    throw InputError(place + ": expected " + std::to_string(table.rows()) + " rows, found " +
                     std::to_string(length));
  }
  return *column;
}

}  // namespace

const std::vector<std::string>& textColumn(const Table& table, std::string_view column) {
  return std::get<std::vector<std::string>>(checkedColumn(table, column, true).values);
}

std::string textAt(const Table& table, std::string_view column, std::size_t row) {
  const Column* found = table.find(column);
  if (found == nullptr) return "";
  const auto* texts = std::get_if<std::vector<std::string>>(&found->values);
  return texts != nullptr && row < texts->size() ? (*texts)[row] : "";
}

NumberColumn::NumberColumn(const Table& table, std::string_view column)
    : m_table(table), m_column(checkedColumn(table, column, false)) {}

double NumberColumn::operator[](std::size_t row) const {
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&m_column.values)) {
    return (*integers)[row];
  }
  return std::get<std::vector<double>>(m_column.values)[row];
}

std::int64_t NumberColumn::index(std::size_t row, std::int64_t limit) const {
  const double value = (*this)[row];
  if (!(value >= 0 && value < limit) || value != std::floor(value)) {
    throw InputError("table " + m_table.name + ", column " + m_column.name + ", row " + std::to_string(row) +
                     ": expected a whole number from 0 below " + std::to_string(limit) + ", found " +
                     std::to_string(value));
  }
  return static_cast<std::int64_t>(value);
}

double numberAt(const Table& table, std::string_view column, std::size_t row) {
  const Column* found = table.find(column);
  if (found == nullptr) return kMissing;
  if (const auto* numbers = std::get_if<std::vector<double>>(&found->values)) {
    return row < numbers->size() ? (*numbers)[row] : kMissing;
  }
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&found->values)) {
    return row < integers->size() ? (*integers)[row] : kMissing;
  }
  return kMissing;
}

// ---- rows of each head

RowsByHead::RowsByHead(const Table& table) {
  const HeadColumns heads(table);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const HeadName head = heads[row];
    if (m_runs.empty() || m_runs.back().head != head) m_runs.push_back({head, {row, row}});
    m_runs.back().rows.end = row + 1;
  }
  std::ranges::stable_sort(m_runs, {}, &HeadRun::head);
}

std::vector<RowRun> RowsByHead::of(HeadName head) const {
  std::vector<RowRun> rows;
  for (const HeadRun& run : std::ranges::equal_range(m_runs, head, {}, &HeadRun::head))
    rows.push_back(run.rows);
  return rows;
}

std::vector<RowRun> RowsByHead::where(const std::function<bool(HeadName)>& holds) const {
  std::vector<RowRun> rows;
  for (const HeadRun& run : m_runs) {
    if (holds(run.head)) rows.push_back(run.rows);
  }
  std::ranges::sort(rows, {}, &RowRun::first);
  return rows;
}

HeadIndex& HeadIndex::operator=(const HeadIndex& other) {
  if (this == &other) return *this;
  const std::lock_guard lock(m_mutex);
  m_entries.clear();
  return *this;
}

std::shared_ptr<const RowsByHead> HeadIndex::of(const Table& table) const {
  const std::lock_guard lock(m_mutex);
  Entry& entry = m_entries[table.name];
  if (entry.table != &table || entry.rows != table.rows())
    entry = {&table, table.rows(), std::make_shared<const RowsByHead>(table)};
  return entry.index;
}

}  // namespace plastiscope
