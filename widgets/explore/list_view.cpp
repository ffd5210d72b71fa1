#include "widgets/explore/list_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <cstdlib>

namespace plastiscope {
namespace {

constexpr int kRowHeight = 21, kCellMargin = 14, kTitleMargin = 18;

class CutDelegate : public QStyledItemDelegate {
 public:
  CutDelegate(std::set<int> cutLeft, QObject* parent)
      : QStyledItemDelegate(parent), m_cutLeft(std::move(cutLeft)) {}

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = m_cutLeft.contains(index.column()) ? Qt::ElideLeft : Qt::ElideRight;
  }

 private:
  std::set<int> m_cutLeft;
};

}  // namespace

ListView::ListView(QAbstractItemModel& model, int sortRole, std::set<int> cutLeft, QWidget* parent)
    : QTableView(parent), m_proxy(new QSortFilterProxyModel(this)) {
  m_proxy->setSourceModel(&model);
  m_proxy->setSortRole(sortRole);
  setModel(m_proxy);
  setItemDelegate(new CutDelegate(std::move(cutLeft), this));
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setWordWrap(false);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setTabKeyNavigation(false);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() - 0.75);
  setFont(small);
  horizontalHeader()->setFont(small);
  horizontalHeader()->setHighlightSections(false);
  verticalHeader()->setVisible(false);
  verticalHeader()->setDefaultSectionSize(kRowHeight);
  verticalHeader()->setMinimumSectionSize(kRowHeight);
  m_proxy->setDynamicSortFilter(false);
  setSortingEnabled(true);
  sortByColumn(-1, Qt::AscendingOrder);
  auto* copying = new QAction(tr("Copy"), this);
  copying->setShortcut(QKeySequence::Copy);
  copying->setShortcutContext(Qt::WidgetShortcut);
  connect(copying, &QAction::triggered, this, &ListView::copy);
  addAction(copying);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &ListView::choiceChanged);
}

void ListView::setWidths(const std::vector<int>& characters) {
  m_characters = characters;
  horizontalHeader()->setMinimumSectionSize(24);
  shareWidth();
}

void ListView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  shareWidth();
}

// Nothing is cut that has a known width; when that is too much for the view, it scrolls.
void ListView::shareWidth() {
  const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
  int left = viewport()->width();
  std::vector<int> widths, sharing;
  for (std::size_t i = 0; i < m_characters.size(); ++i) {
    const int column = static_cast<int>(i);
    const QString title = model()->headerData(column, Qt::Horizontal).toString();
    const int wanted = std::abs(m_characters[i]) * digit + kCellMargin;
    widths.push_back(std::max(wanted, fontMetrics().horizontalAdvance(title) + kTitleMargin));
    left -= widths.back();
    if (m_characters[i] < 0) sharing.push_back(column);
  }
  for (const int column : sharing)
    widths[static_cast<std::size_t>(column)] += std::max(0, left) / static_cast<int>(sharing.size());
  for (std::size_t i = 0; i < widths.size(); ++i) setColumnWidth(static_cast<int>(i), widths[i]);
}

int ListView::sourceRow(const QModelIndex& index) const {
  return m_proxy->mapToSource(index).row();
}

std::vector<int> ListView::chosenRows() const {
  std::vector<int> rows;
  for (const QModelIndex& index : selectionModel()->selectedRows()) rows.push_back(sourceRow(index));
  return rows;
}

void ListView::copy() {
  QStringList lines, titles;
  for (int column = 0; column < m_proxy->columnCount(); ++column)
    titles.append(m_proxy->headerData(column, Qt::Horizontal).toString());
  lines.append(titles.join(QLatin1Char('\t')));
  QModelIndexList chosen = selectionModel()->selectedRows();
  std::sort(chosen.begin(), chosen.end());
  for (const QModelIndex& row : chosen) {
    QStringList cells;
    for (int column = 0; column < m_proxy->columnCount(); ++column)
      cells.append(row.siblingAtColumn(column).data().toString());
    lines.append(cells.join(QLatin1Char('\t')));
  }
  QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace plastiscope
