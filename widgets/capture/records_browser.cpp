#include "widgets/capture/records_browser.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QTreeWidget>

#include "core/base/error.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr int kRowHeight = 22, kFiltersWidth = 210, kIdWidth = 110, kFieldWidth = 92;
constexpr int kFieldRole = Qt::UserRole, kValueRole = Qt::UserRole + 1;

}  // namespace

RecordsBrowser::RecordsBrowser(RecordsModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_name(styledLabel({}, "muted", this)),
      m_filters(named("recordFilters", new QTreeWidget(this))),
      m_table(named("recordTable", new QTableView(this))) {
  setUpFilters();
  setUpTable();
  auto* both = new QSplitter(Qt::Horizontal, this);
  both->addWidget(m_filters);
  both->addWidget(m_table);
  both->setStretchFactor(1, 1);
  both->setSizes({kFiltersWidth, 2 * kFiltersWidth});
  columnIn(this, {buildHead(), {both, 1}}, {.margins = {}, .spacing = 2});
  connect(&m_model, &RecordsModel::choiceChanged, this, [this] {
    if (m_model.list() && m_filters->topLevelItemCount() > 0) showFilterCounts();
  });
}

QWidget* RecordsBrowser::buildHead() {
  auto* head = new QWidget(this);
  m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* other = named("recordsOther", smallButton(tr("Other records …"),
                                                  tr("Back to the choice of files and data sets"), head));
  rowIn(head, {{m_name, 1}, other}, {.margins = {4, 2, 0, 0}});
  connect(other, &QPushButton::clicked, this, &RecordsBrowser::otherRequested);
  return head;
}

void RecordsBrowser::setUpFilters() {
  m_filters->setAccessibleName(tr("Filters of the records"));
  m_filters->setColumnCount(2);
  m_filters->setHeaderHidden(true);
  m_filters->setIndentation(12);
  m_filters->setUniformRowHeights(true);
  m_filters->header()->setStretchLastSection(false);
  m_filters->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_filters->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  connect(m_filters, &QTreeWidget::itemChanged, this, &RecordsBrowser::filterChanged);
}

void RecordsBrowser::setUpTable() {
  m_table->setAccessibleName(tr("Records"));
  m_table->setModel(&m_model);
  showAsList(*m_table, kRowHeight);
  m_table->setWordWrap(false);
  m_table->horizontalHeader()->setDefaultSectionSize(kFieldWidth);
  m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) { Q_EMIT rowChosen(now.row()); });
}

bool RecordsBrowser::hasCurrent() const {
  return m_table->currentIndex().isValid();
}

void RecordsBrowser::clear() {
  m_filters->clear();
}

void RecordsBrowser::showList(const QString& name) {
  const auto count = static_cast<long long>(m_model.list()->records.size());
  m_name->setText(tr("%1 · %2 records").arg(name, groupedText(count)));
  m_name->setToolTip(plainTip(m_name->text()));
  m_table->setColumnWidth(RecordsModel::IdColumn, kIdWidth);
  fillFilters();
}

void RecordsBrowser::fillFilters() {
  const QSignalBlocker quiet(m_filters);
  m_filters->clear();
  const auto& fields = m_model.list()->fields;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    auto* heading = new QTreeWidgetItem(m_filters, {fields[f].title});
    heading->setFlags(Qt::ItemIsEnabled);
    for (std::size_t v = 0; v < fields[f].values.size(); ++v) {
      const QString value = QString::fromStdString(fields[f].values[v]);
      auto* item = new QTreeWidgetItem(heading, {value});
      item->setToolTip(0, plainTip(value));
      item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
      item->setCheckState(0, Qt::Unchecked);
      item->setData(0, kFieldRole, static_cast<int>(f));
      item->setData(0, kValueRole, static_cast<int>(v));
    }
  }
  m_filters->expandAll();
  showFilterCounts();
}

void RecordsBrowser::showFilterCounts() {
  const QSignalBlocker quiet(m_filters);
  for (int f = 0; f < m_filters->topLevelItemCount(); ++f) {
    const auto counts = countsOf(*m_model.list(), m_model.choice(), f);
    QTreeWidgetItem* heading = m_filters->topLevelItem(f);
    for (int v = 0; v < heading->childCount(); ++v) {
      const std::int64_t count = counts[static_cast<std::size_t>(v)];
      heading->child(v)->setText(1, groupedText(count));
      heading->child(v)->setForeground(
          0, palette().brush(count > 0 ? QPalette::Active : QPalette::Disabled, QPalette::Text));
    }
  }
}

void RecordsBrowser::filterChanged(QTreeWidgetItem* item) {
  if (!item->parent()) return;
  m_model.setWanted(item->data(0, kFieldRole).toInt(), item->data(0, kValueRole).toInt(),
                    item->checkState(0) == Qt::Checked);
}

// ---- records model

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
    return tokens ? groupedText(*tokens) : QString();
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
  // Records without ids cannot be excluded individually.
  const bool choosable = index.column() == IdColumn && m_list && !m_list->idField.empty();
  return choosable ? common | Qt::ItemIsUserCheckable : common;
}

}  // namespace plastiscope

#include "moc_records_browser.cpp"
