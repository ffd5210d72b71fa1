#pragma once
// Index of the rows of each head in a table, so that reading one head does not scan the table.
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/capture/head_list.h"

namespace plastiscope {

// Consecutive rows [first, end).
struct RowRun {
  std::size_t first = 0, end = 0;
};

class RowsByHead {
 public:
  // Uses the columns layer and head; InputError as NumberColumn.
  explicit RowsByHead(const Table& table);
  // Runs of a head's rows, ascending: one in a table sorted by head; none for an unknown head.
  std::vector<RowRun> of(HeadName head) const;
  std::vector<RowRun> where(const std::function<bool(HeadName)>& holds) const;

 private:
  struct HeadRun {
    HeadName head;
    RowRun rows;
  };
  std::vector<HeadRun> m_runs;  // by head, then row
};

// RowsByHead of each table of an analysis, made at its first use. Thread-safe. The tables must not change; a
// copy starts empty, because the tables of a copied analysis may change.
class HeadIndex {
 public:
  HeadIndex() = default;
  HeadIndex(const HeadIndex&) {}
  HeadIndex& operator=(const HeadIndex&);
  std::shared_ptr<const RowsByHead> of(const Table& table) const;

 private:
  struct Entry {
    const Table* table = nullptr;
    std::size_t rows = 0;
    std::shared_ptr<const RowsByHead> index;
  };
  mutable std::mutex m_mutex;
  mutable std::map<std::string, Entry> m_entries;  // by the table's name
};

}  // namespace plastiscope
