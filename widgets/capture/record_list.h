#pragma once
// Records of a benchmark file (LongBench-Pro etc.) as a list to choose from: their metadata without texts.
// Reading is slow: call it in a worker.
#include <QAbstractTableModel>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "widgets/capture/texts_box.h"

namespace plastiscope {

// Metadata field with few distinct values, used as a filter.
struct RecordField {
  std::string name;
  QString title;
  std::vector<std::string> values;  // in natural order: 8k before 16k
};

struct RecordEntry {
  std::string id;           // as in the capture
  std::vector<int> values;  // [fields] index into RecordField::values; -1 = missing
};

struct RecordList {
  std::vector<std::filesystem::path> files;
  std::string idField;  // "": records are numbered
  std::vector<RecordField> fields;
  std::vector<RecordEntry> records;
};

// A .json, .jsonl, .ndjson or .parquet file, or a folder with such files (three folders deep). InputError
// names file and line; Stopped.
RecordList readRecordList(const std::vector<std::filesystem::path>& places, Progress& progress);

// Fields usable as filters for records with these values, those of known benchmarks first.
std::vector<RecordField> filterFields(const std::vector<std::map<std::string, std::string>>& records);

// Token counts of the records of a large file, counted in a worker and read by the window meanwhile. Counts
// are kept when the choice of records changes. Thread-safe.
class RecordCounts {
 public:
  void add(const std::string& id, std::int64_t tokens);
  std::optional<std::int64_t> of(const std::string& id) const;

 private:
  mutable std::mutex m_mutex;
  std::map<std::string, std::int64_t> m_tokens;
};

// Counts the texts of `corpus` that are not in `counts` yet; returns the first text with its pieces. Reports
// progress out of `total` texts. InputError, Stopped.
TextCount countRecords(const Tokenizer& tokenizer, const CorpusOptions& corpus, std::int64_t total,
                       RecordCounts& counts, Progress& progress);

// Chosen records of a list: selected values of its fields, and single records excluded. Plain values, pure
// functions.
struct RecordChoice {
  std::vector<std::set<int>> wanted;  // [fields] selected values; none = all
  std::set<std::size_t> left;         // records excluded by hand
};

// True if the values of a record are selected; `except`: a field to ignore (-1 = none).
bool passes(const RecordEntry& record, const RecordChoice& choice, int except = -1);

// Numbers of records for each value of a field, after the filters of the other fields.
std::vector<std::int64_t> countsOf(const RecordList& list, const RecordChoice& choice, int field);

// The equivalent `--select` pairs: the filters, or a list of ids where records were excluded by hand.
std::vector<std::pair<std::string, std::string>> selectionOf(const RecordList& list,
                                                             const RecordChoice& choice);

// Matching records as a table: id with a check box to exclude it, tokens, fields.
class RecordsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { IdColumn, TokensColumn, FirstField };

  using QAbstractTableModel::QAbstractTableModel;

  void setList(std::shared_ptr<const RecordList> list);  // null: empty
  const RecordList* list() const { return m_list.get(); }
  const RecordChoice& choice() const { return m_choice; }
  void setWanted(int field, int value, bool wanted);
  void setCounts(std::shared_ptr<const RecordCounts> counts);  // null: no counting
  void countsChanged();

  const RecordEntry& recordAt(int row) const { return m_list->records[m_shown[row]]; }
  std::vector<std::int64_t> lengths() const;  // of the chosen records counted so far
  std::int64_t taken() const;
  std::vector<std::pair<std::string, std::string>> selection() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 Q_SIGNALS:
  void choiceChanged();

 private:
  void filter();

  std::shared_ptr<const RecordList> m_list;
  std::shared_ptr<const RecordCounts> m_counts;
  RecordChoice m_choice;
  std::vector<std::size_t> m_shown;  // matching records
};

}  // namespace plastiscope
