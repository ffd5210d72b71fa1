#pragma once
// Reads columns of tables from files: numeric columns of either type, checked lengths, clear errors. Finds
// the rows of a head without scanning the table.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
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

// ---- Rows of each head

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
