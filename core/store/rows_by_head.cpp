#include "core/store/rows_by_head.h"

#include <algorithm>

#include "core/store/table_columns.h"

namespace plastiscope {

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
