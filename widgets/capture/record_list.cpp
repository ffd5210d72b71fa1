#include "widgets/capture/record_list.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <limits>

#include "core/base/error.h"
#include "core/base/parsed_number.h"
#include "core/text/corpus_file.h"
#include "core/text/corpus_index.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

using Fields = std::map<std::string, std::string>;

constexpr std::size_t kMaxValues = 64;
constexpr std::array kIdFields = {"id", "_id"};  // in the order in which corpora are searched

// Fields of LongBench-Pro, LongBench v2 and LongBench with their display names, in the order of the columns.
struct KnownField {
  const char *name, *title;
};
constexpr std::array<KnownField, 10> kKnown = {{
    {"language", QT_TRANSLATE_NOOP("RecordList", "Language")},
    {"token_length", QT_TRANSLATE_NOOP("RecordList", "Length")},
    {"length", QT_TRANSLATE_NOOP("RecordList", "Length")},
    {"primary_task", QT_TRANSLATE_NOOP("RecordList", "Task")},
    {"secondary_task", QT_TRANSLATE_NOOP("RecordList", "Subtask")},
    {"domain", QT_TRANSLATE_NOOP("RecordList", "Domain")},
    {"sub_domain", QT_TRANSLATE_NOOP("RecordList", "Subdomain")},
    {"dataset", QT_TRANSLATE_NOOP("RecordList", "Dataset")},
    {"contextual_requirement", QT_TRANSLATE_NOOP("RecordList", "Context needed")},
    {"difficulty", QT_TRANSLATE_NOOP("RecordList", "Difficulty")},
}};

std::size_t placeOf(const std::string& name) {
  const auto found = std::ranges::find(kKnown, name, &KnownField::name);
  return found - kKnown.begin();
}

QString titleOf(const std::string& name) {
  const std::size_t place = placeOf(name);
  if (place < kKnown.size()) return QCoreApplication::translate("RecordList", kKnown[place].title);
  QString words = QString::fromStdString(name).replace(QLatin1Char('_'), QLatin1Char(' '));
  if (!words.isEmpty()) words[0] = words[0].toUpper();
  return words;
}

// Sort key: values that start with a number are sorted by it: 8k, 16k, 128k.
std::pair<double, std::string> numberThenText(const std::string& value) {
  double number = std::numeric_limits<double>::infinity();
  fromChars(value.data(), value.data() + value.size(), number);
  return {number, value};
}

// Metadata of the records of one file.
std::vector<Fields> fieldsOf(const fs::path& file, Progress& progress) {
  const CorpusFormat& format = corpusFormatOf(file);
  if (format.name == "plain text")
    throw InputError({file, "", "a .json, .jsonl, .parquet, .arrow or .csv file of records", "a plain text"});
  if (format.name != "table") return readShortFields(file, progress);
  std::vector<Fields> all;
  format.read(file, {}, progress, [&](std::int64_t, const CorpusRecord& record) {
    progress.throwIfStopped();
    all.push_back(shortFields(record.value));
    progress.advanced({"read", static_cast<double>(all.size()), 0, "record", -1, -1});
    return true;
  });
  return all;
}

// Field with an id for every record, or "".
std::string idFieldOf(const std::vector<Fields>& records) {
  for (const char* name : kIdFields) {
    if (std::ranges::all_of(records, [&](const Fields& each) { return each.contains(name); })) return name;
  }
  return "";
}

std::vector<int> valuesOf(const Fields& record, const std::vector<RecordField>& fields) {
  std::vector<int> values;
  for (const RecordField& field : fields) {
    const auto value = record.find(field.name);
    const auto place =
        value == record.end() ? field.values.end() : std::ranges::find(field.values, value->second);
    values.push_back(place == field.values.end() ? -1 : place - field.values.begin());
  }
  return values;
}

}  // namespace

std::vector<RecordField> filterFields(const std::vector<Fields>& records) {
  std::map<std::string, std::set<std::string>> values;
  for (const Fields& record : records) {
    for (const auto& [name, value] : record) {
      auto& seen = values[name];
      if (seen.size() <= kMaxValues) seen.insert(value);
    }
  }
  std::vector<RecordField> fields;
  for (const auto& [name, seen] : values) {
    const bool few = seen.size() > 1 && seen.size() <= kMaxValues && 2 * seen.size() <= records.size();
    if (!few || std::ranges::find(kIdFields, name) != kIdFields.end()) continue;
    RecordField field{name, titleOf(name), {seen.begin(), seen.end()}};
    std::ranges::sort(field.values, {}, numberThenText);
    fields.push_back(std::move(field));
  }
  std::ranges::stable_sort(fields, {}, [](const RecordField& field) { return placeOf(field.name); });
  return fields;
}

RecordList readRecordList(const std::vector<fs::path>& places, Progress& progress) {
  RecordList list;
  std::vector<Fields> records;
  for (const fs::path& place : places) {
    for (const fs::path& file : recordFilesOf(place)) {
      list.files.push_back(file);
      std::ranges::move(fieldsOf(file, progress), std::back_inserter(records));
    }
  }
  if (records.empty()) throw InputError({places.front(), "", "at least one record", "none"});
  list.fields = filterFields(records);
  list.idField = idFieldOf(records);
  for (std::size_t i = 0; i < records.size(); ++i) {
    progress.throwIfStopped();
    list.records.push_back({list.idField.empty() ? std::to_string(i) : records[i].at(list.idField),
                            valuesOf(records[i], list.fields)});
  }
  return list;
}

// ---- record counts

void RecordCounts::add(const std::string& id, std::int64_t tokens) {
  const std::lock_guard lock(m_mutex);
  m_tokens[id] = tokens;
}

std::optional<std::int64_t> RecordCounts::of(const std::string& id) const {
  const std::lock_guard lock(m_mutex);
  const auto found = m_tokens.find(id);
  return found == m_tokens.end() ? std::nullopt : std::optional(found->second);
}

TextCount countRecords(const Tokenizer& tokenizer, const CorpusOptions& corpus, std::int64_t total,
                       RecordCounts& counts, Progress& progress) {
  TextCount first;
  ProgressState state{"tokenize", 0, static_cast<double>(total), "example", -1, -1};
  visitCorpus(corpus, progress, [&](const CorpusText& text) {
    progress.throwIfStopped();
    if (first.lengths.empty()) {
      first = countText(tokenizer, text.id, text.text, !corpus.noSpecial);
      if (!first.lengths.empty()) counts.add(text.id, first.lengths.front());
    } else if (!counts.of(text.id)) {
      const Encoding encoding = tokenizer.encode(text.text, !corpus.noSpecial, &progress);
      first.unusual.add(tokenizer, encoding, text.text);
      counts.add(text.id, encoding.ids.size());
    }
    ++state.done;
    progress.advanced(state);
    return true;
  });
  return first;
}

// ---- record facets

bool passes(const RecordEntry& record, const RecordChoice& choice, int except) {
  for (int field = 0; field < std::ssize(choice.wanted); ++field) {
    const auto& wanted = choice.wanted[field];
    if (field != except && !wanted.empty() && !wanted.contains(record.values[field])) return false;
  }
  return true;
}

std::vector<std::int64_t> countsOf(const RecordList& list, const RecordChoice& choice, int field) {
  std::vector<std::int64_t> counts(list.fields[field].values.size(), 0);
  for (const RecordEntry& record : list.records) {
    const int value = record.values[field];
    if (value >= 0 && passes(record, choice, field)) ++counts[value];
  }
  return counts;
}

std::vector<std::pair<std::string, std::string>> selectionOf(const RecordList& list,
                                                             const RecordChoice& choice) {
  std::vector<std::pair<std::string, std::string>> select;
  const bool byHand = std::ranges::any_of(
      choice.left, [&](std::size_t record) { return passes(list.records[record], choice); });
  if (byHand) {
    for (std::size_t i = 0; i < list.records.size(); ++i) {
      if (passes(list.records[i], choice) && !choice.left.contains(i))
        select.emplace_back(list.idField, list.records[i].id);
    }
    return select;
  }
  for (std::size_t field = 0; field < choice.wanted.size(); ++field) {
    for (const int value : choice.wanted[field])
      select.emplace_back(list.fields[field].name, list.fields[field].values[value]);
  }
  return select;
}

// ---- records model

void RecordsModel::setList(std::shared_ptr<const RecordList> list) {
  m_list = std::move(list);
  m_choice = {};
  if (m_list) m_choice.wanted.resize(m_list->fields.size());
  filter();
}

void RecordsModel::setWanted(int field, int value, bool wanted) {
  auto& chosen = m_choice.wanted[field];
  if (wanted ? chosen.insert(value).second : chosen.erase(value) > 0) filter();
}

void RecordsModel::setCounts(std::shared_ptr<const RecordCounts> counts) {
  m_counts = std::move(counts);
  countsChanged();
}

void RecordsModel::countsChanged() {
  if (!m_shown.empty()) Q_EMIT dataChanged(index(0, TokensColumn), index(rowCount() - 1, TokensColumn));
}

void RecordsModel::filter() {
  beginResetModel();
  m_shown.clear();
  for (std::size_t i = 0; m_list && i < m_list->records.size(); ++i) {
    if (passes(m_list->records[i], m_choice)) m_shown.push_back(i);
  }
  endResetModel();
  Q_EMIT choiceChanged();
}

std::vector<std::int64_t> RecordsModel::lengths() const {
  std::vector<std::int64_t> lengths;
  for (const std::size_t record : m_shown) {
    if (!m_counts || m_choice.left.contains(record)) continue;
    if (const auto tokens = m_counts->of(m_list->records[record].id)) lengths.push_back(*tokens);
  }
  return lengths;
}

std::int64_t RecordsModel::taken() const {
  return std::ranges::count_if(m_shown, [&](std::size_t record) { return !m_choice.left.contains(record); });
}

std::vector<std::pair<std::string, std::string>> RecordsModel::selection() const {
  return m_list ? selectionOf(*m_list, m_choice) : std::vector<std::pair<std::string, std::string>>();
}

int RecordsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : m_shown.size();
}

int RecordsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_list ? 0 : FirstField + m_list->fields.size();
}

QVariant RecordsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || !m_list) return {};
  if (section == IdColumn) return tr("Record");
  if (section == TokensColumn) return tr("Tokens");
  return m_list->fields[section - FirstField].title;
}

QVariant RecordsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const std::size_t number = m_shown[index.row()];
  const RecordEntry& record = m_list->records[number];
  if (role == Qt::TextAlignmentRole && index.column() == TokensColumn)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::CheckStateRole && index.column() == IdColumn && !m_list->idField.empty())
    return m_choice.left.contains(number) ? Qt::Unchecked : Qt::Checked;
  if (role == Qt::ToolTipRole) return plainTip(data(index, Qt::DisplayRole).toString());
  if (role != Qt::DisplayRole) return {};
  if (index.column() == IdColumn) return QString::fromStdString(record.id);
  if (index.column() == TokensColumn) {
    const auto tokens = m_counts ? m_counts->of(record.id) : std::nullopt;
    return tokens ? groupedText(*tokens) : QString();
  }
  const int field = index.column() - FirstField;
  const int value = record.values[field];
  return value < 0 ? QString() : QString::fromStdString(m_list->fields[field].values[value]);
}

bool RecordsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() != IdColumn || role != Qt::CheckStateRole) return false;
  const std::size_t number = m_shown[index.row()];
  if (value.toInt() == Qt::Checked)
    m_choice.left.erase(number);
  else
    m_choice.left.insert(number);
  Q_EMIT dataChanged(index, index);
  Q_EMIT choiceChanged();
  return true;
}

Qt::ItemFlags RecordsModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags common = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
  // Records without ids cannot be excluded individually.
  const bool choosable = index.column() == IdColumn && m_list && !m_list->idField.empty();
  return choosable ? common | Qt::ItemIsUserCheckable : common;
}

}  // namespace plastiscope

#include "moc_record_list.cpp"
