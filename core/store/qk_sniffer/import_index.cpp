#include "core/store/qk_sniffer/import_info.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "core/base/error.h"
#include "core/parquet/qk_table.h"

namespace plastiscope {

namespace {

std::string rowText(const QkTableIndex& rows, std::size_t row) {
  return "example " + std::to_string(rows.exampleId[row]) + ", position " +
         std::to_string(rows.position[row]) + ", bucket " + std::to_string(rows.bucket[row]);
}

// Requires the same sampled positions for all heads of one layer and kind.
void requireSameRows(const QkTableIndex& first, const QkHeadFile& firstHead, const QkTableIndex& rows,
                     const QkHeadFile& head) {
  if (rows.position.size() != first.position.size()) {
    throw InputError({head.file, "",
                      withCommas(first.position.size()) + " rows as in " + qkFolderName(firstHead.place),
                      withCommas(rows.position.size())});
  }
  for (std::size_t row = 0; row < rows.position.size(); ++row) {
    if (rows.position[row] == first.position[row] && rows.exampleId[row] == first.exampleId[row] &&
        rows.bucket[row] == first.bucket[row]) {
      continue;
    }
    throw InputError({head.file, "row " + std::to_string(row),
                      rowText(first, row) + " as in " + qkFolderName(firstHead.place), rowText(rows, row)});
  }
}

// Numbers the examples in order of first appearance.
class ExampleNumbers {
 public:
  explicit ExampleNumbers(std::vector<std::int32_t>& ids) : m_ids(ids) {}
  std::int32_t of(std::int32_t id) {
    const auto [entry, isNew] = m_numbers.try_emplace(id, static_cast<std::int32_t>(m_ids.size()));
    if (isNew) m_ids.push_back(id);
    return entry->second;
  }

 private:
  std::vector<std::int32_t>& m_ids;
  std::unordered_map<std::int32_t, std::int32_t> m_numbers;
};

// Finds repeated rows. InputError: a row in two buckets.
QkRepeats repeatsIn(const QkTableIndex& table, const QkHeadFile& head) {
  const auto place = [&](std::uint32_t row) { return std::pair(table.exampleId[row], table.position[row]); };
  QkRepeats repeats;
  repeats.kept.resize(table.position.size());
  std::iota(repeats.kept.begin(), repeats.kept.end(), 0U);
  std::vector<std::uint32_t> order = repeats.kept;
  if (!std::ranges::is_sorted(order, {}, place)) std::ranges::stable_sort(order, {}, place);
  for (std::size_t i = 1, first = 0; i < order.size(); ++i) {
    if (place(order[i]) != place(order[first])) {
      first = i;
      continue;
    }
    if (table.bucket[order[i]] != table.bucket[order[first]]) {
      throw InputError({head.file, "row " + std::to_string(order[i]),
                        rowText(table, order[first]) + " as in row " + std::to_string(order[first]),
                        rowText(table, order[i])});
    }
    repeats.rows.emplace_back(order[i], order[first]);
  }
  std::ranges::sort(repeats.rows);
  auto next = repeats.rows.begin();
  std::erase_if(repeats.kept, [&](std::uint32_t row) {
    return next != repeats.rows.end() && next->first == row && (++next, true);
  });
  return repeats;
}

// Sorts the rows by example, then position, as captures need them.
QkSharedRows sortedRows(const QkTableIndex& table, const QkHeadFile& head, ExampleNumbers& numbers) {
  const std::size_t rows = table.position.size();
  std::vector<std::int32_t> example(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    example[row] = numbers.of(table.exampleId[row]);
    if (table.position[row] < 0 || table.bucket[row] < 0) {
      throw InputError({head.file, "row " + std::to_string(row), "a position and a bucket of at least 0",
                        rowText(table, row)});
    }
  }
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(example[a], table.position[a]) < std::pair(example[b], table.position[b]);
  };
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0U);
  const bool asTheyLie = std::is_sorted(order.begin(), order.end(), before);
  if (!asTheyLie) std::stable_sort(order.begin(), order.end(), before);
  QkSharedRows shared;
  shared.firstFile = head.file;
  for (std::size_t i = 0; i < rows; ++i) {
    shared.rows.position.push_back(table.position[order[i]]);
    shared.rows.example.push_back(example[order[i]]);
    shared.rows.bucket.push_back(table.bucket[order[i]]);
  }
  if (!asTheyLie) shared.order = std::move(order);
  return shared;
}

class IndexReader {
 public:
  explicit IndexReader(QkIndex& index) : m_index(index), m_numbers(index.exampleIds) {}

  void add(const QkHeadFile& head) {
    QkTableIndex table = readQkIndex(head.file);
    checkHeadDim(table, head);
    checkWindow(table, head);
    m_index.tokenStrings |= table.tokenStrings;
    if (table != m_read) {
      m_read = table;
      m_repeats = repeatsIn(table, head);
    }
    if (!m_repeats.rows.empty()) {
      for (auto* column : {&table.bucket, &table.exampleId, &table.position}) {
        for (std::size_t i = 0; i < m_repeats.kept.size(); ++i) (*column)[i] = (*column)[m_repeats.kept[i]];
        column->resize(m_repeats.kept.size());
      }
      m_index.repeats[head.file] = m_repeats;
    }
    const auto key = std::pair(head.place.layer, head.place.set);
    m_index.heads[key].push_back(head.place.head);
    if (!m_index.shared.contains(key)) {
      m_index.shared[key] = sortedRows(table, head, m_numbers);
      m_first = table;
      m_firstHead = head;
      for (const std::int32_t position : table.position)
        m_index.lastPosition = std::max(m_index.lastPosition, position);
    } else {
      requireSameRows(m_first, m_firstHead, table, head);
    }
  }

 private:
  void checkHeadDim(const QkTableIndex& table, const QkHeadFile& head) {
    if (table.position.empty()) return;
    if (m_index.headDim == 0) {
      m_index.headDim = table.headDim;
      m_dimHead = qkFolderName(head.place);
    }
    if (table.headDim != m_index.headDim) {
      throw InputError({head.file, "column vector",
                        std::to_string(m_index.headDim) + " values in a row as in " + m_dimHead,
                        std::to_string(table.headDim)});
    }
  }

  void checkWindow(const QkTableIndex& table, const QkHeadFile& head) {
    if (table.position.empty()) return;
    const auto [entry, isNew] = m_index.slidingWindows.try_emplace(head.place.layer, table.slidingWindow);
    if (entry->second == table.slidingWindow) return;
    const auto text = [](const std::optional<std::int32_t>& window) {
      return window ? std::to_string(*window) : "none";
    };
    throw InputError({head.file, "column sliding_window",
                      text(entry->second) + " as in the layer's other heads", text(table.slidingWindow)});
  }

  QkIndex& m_index;
  ExampleNumbers m_numbers;
  QkTableIndex m_first;  // of the current layer and kind
  QkTableIndex m_read;   // as read from the file, with repeated rows
  QkRepeats m_repeats;
  QkHeadFile m_firstHead;
  std::string m_dimHead;
};

}  // namespace

std::int64_t QkIndex::rows(std::int64_t layer, RowSet set) const {
  const auto found = shared.find({layer, set});
  return found == shared.end() ? 0 : std::ssize(found->second.rows.position);
}

std::vector<std::int64_t> QkIndex::layers() const {
  std::vector<std::int64_t> result;
  for (const auto& [key, list] : heads) {
    if (key.second == RowSet::Query) result.push_back(key.first);
  }
  return result;
}

QkIndex readQkIndex(const QkFolder& folder, Progress& progress) {
  QkIndex index;
  IndexReader reader(index);
  UnitCounter counter(progress, "check", "file", folder.heads.size());
  for (const QkHeadFile& head : folder.heads) {
    progress.throwIfStopped();
    reader.add(head);
    counter.finished();
  }
  if (index.headDim < 1) throw InputError({folder.path, "", "rows with vectors", "none in any file"});
  return index;
}

void requirePositionsBelow(const QkIndex& index, std::int64_t window) {
  for (const auto& [key, shared] : index.shared) {
    for (std::size_t i = 0; i < shared.rows.position.size(); ++i) {
      if (shared.rows.position[i] < window) continue;
      const std::size_t row = shared.order.empty() ? i : shared.order[i];
      throw InputError({shared.firstFile, "row " + std::to_string(row),
                        "positions below the window of " + withCommas(window) + " tokens",
                        std::to_string(shared.rows.position[i])});
    }
  }
}

}  // namespace plastiscope
