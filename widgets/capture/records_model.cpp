#include "widgets/capture/records_model.h"

#include "core/base/error.h"
#include "widgets/state/file_text.h"

namespace plastiscope {

void RecordsModel::setList(std::shared_ptr<const RecordList> list) {
  m_list = std::move(list);
  m_choice = {};
  if (m_list) m_choice.wanted.resize(m_list->fields.size());
  filter();
}

void RecordsModel::setWanted(int field, int value, bool wanted) {
  auto& chosen = m_choice.wanted[static_cast<std::size_t>(field)];
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
  std::int64_t taken = 0;
  for (const std::size_t record : m_shown) taken += !m_choice.left.contains(record);
  return taken;
}

std::vector<std::pair<std::string, std::string>> RecordsModel::selection() const {
  return m_list ? selectionOf(*m_list, m_choice) : std::vector<std::pair<std::string, std::string>>();
}

int RecordsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int RecordsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_list ? 0 : FirstField + static_cast<int>(m_list->fields.size());
}

QVariant RecordsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || !m_list) return {};
  if (section == IdColumn) return tr("Record");
  if (section == TokensColumn) return tr("Tokens");
  return m_list->fields[static_cast<std::size_t>(section - FirstField)].title;
}

QVariant RecordsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const std::size_t number = m_shown[static_cast<std::size_t>(index.row())];
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
    return tokens ? QString::fromStdString(withCommas(*tokens)) : QString();
  }
  const auto field = static_cast<std::size_t>(index.column() - FirstField);
  const int value = record.values[field];
  return value < 0 ? QString()
                   : QString::fromStdString(m_list->fields[field].values[static_cast<std::size_t>(value)]);
}

bool RecordsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() != IdColumn || role != Qt::CheckStateRole) return false;
  const std::size_t number = m_shown[static_cast<std::size_t>(index.row())];
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
  // Records without ids cannot be named one by one.
  const bool choosable = index.column() == IdColumn && m_list && !m_list->idField.empty();
  return choosable ? common | Qt::ItemIsUserCheckable : common;
}

}  // namespace plastiscope
