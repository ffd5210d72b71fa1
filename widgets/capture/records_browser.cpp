#include "widgets/capture/records_browser.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "widgets/state/file_text.h"

namespace plastiscope {
namespace {

constexpr int kRowHeight = 22, kFiltersWidth = 210, kIdWidth = 110, kFieldWidth = 92;
constexpr int kFieldRole = Qt::UserRole, kValueRole = Qt::UserRole + 1;

}  // namespace

RecordsBrowser::RecordsBrowser(RecordsModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_name(new QLabel(this)),
      m_filters(new QTreeWidget(this)),
      m_table(new QTableView(this)) {
  setUpFilters();
  setUpTable();
  auto* both = new QSplitter(Qt::Horizontal, this);
  both->addWidget(m_filters);
  both->addWidget(m_table);
  both->setStretchFactor(1, 1);
  both->setSizes({kFiltersWidth, 2 * kFiltersWidth});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(buildHead());
  column->addWidget(both, 1);
  connect(&m_model, &RecordsModel::choiceChanged, this, [this] {
    if (m_model.list() && m_filters->topLevelItemCount() > 0) showFilterCounts();
  });
}

QWidget* RecordsBrowser::buildHead() {
  auto* head = new QWidget(this);
  m_name->setProperty("muted", true);
  m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* other = new QPushButton(tr("Other records …"), head);
  other->setObjectName(QStringLiteral("recordsOther"));
  other->setProperty("small", true);
  other->setAutoDefault(false);
  other->setToolTip(tr("Back to the choice of files and data sets"));
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(4, 2, 0, 0);
  row->addWidget(m_name, 1);
  row->addWidget(other);
  connect(other, &QPushButton::clicked, this, &RecordsBrowser::otherRequested);
  return head;
}

void RecordsBrowser::setUpFilters() {
  m_filters->setObjectName(QStringLiteral("recordFilters"));
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
  m_table->setObjectName(QStringLiteral("recordTable"));
  m_table->setAccessibleName(tr("Records"));
  m_table->setModel(&m_model);
  m_table->setShowGrid(false);
  m_table->setAlternatingRowColors(true);
  m_table->setWordWrap(false);
  m_table->setTabKeyNavigation(false);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
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
  m_name->setTextFormat(Qt::PlainText);
  m_name->setText(tr("%1 · %2 records").arg(name, QString::fromStdString(withCommas(count))));
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
      heading->child(v)->setText(1, QString::fromStdString(withCommas(count)));
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

}  // namespace plastiscope
