#pragma once
// Where the rows of each head stand in a table, so that who asks for one head need not read the table.
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

// Rows that follow each other: [first, end).
struct RowRun {
  std::size_t first = 0, end = 0;
};

class RowsByHead {
 public:
  // By the columns layer and head; InputError as NumberColumn.
  explicit RowsByHead(const Table& table);
  // Ascending: one run in a table that is sorted by head; none for a head that is not there.
  std::vector<RowRun> of(HeadName head) const;
  std::vector<RowRun> where(const std::function<bool(HeadName)>& holds) const;

 private:
  struct HeadRun {
    HeadName head;
    RowRun rows;
  };
  std::vector<HeadRun> m_runs;  // by head, then row
};

// That of each table of an analysis, made when it is first asked for. Thread-safe. The tables stay as they
// are; a copy begins anew, because the tables of a copied analysis may be changed.
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
