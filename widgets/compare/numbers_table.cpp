#include "widgets/compare/numbers_table.h"

#include <QHeaderView>
#include <algorithm>

namespace plastiscope {

namespace {
constexpr int kRowHeight = 22, kLeastColumn = 88;
}  // namespace

NumbersTable::NumbersTable(QWidget* parent) : QTableView(parent) {
  setObjectName(QStringLiteral("compareNumbers"));
  setAccessibleName(tr("Numbers of the models"));
  setModel(&m_numbers);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setFocusPolicy(Qt::StrongFocus);
  setTabKeyNavigation(false);  // Tab leaves the table, arrows walk in it
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(kRowHeight);
  horizontalHeader()->setTextElideMode(Qt::ElideMiddle);
}

void NumbersTable::setViews(std::shared_ptr<const CompareViews> views) {
  m_numbers.setViews(std::move(views));
  shareWidth();
}

void NumbersTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  shareWidth();
}

// The models' columns share the width where each can show a name, else they are scrolled.
void NumbersTable::shareWidth() {
  const int models = m_numbers.columnCount() - 1;
  if (models < 1) return;
  QHeaderView& header = *horizontalHeader();
  const int first = std::max(sizeHintForColumn(0), header.sectionSizeHint(0));
  const bool fit = (viewport()->width() - first) / models >= kLeastColumn;
  header.setMinimumSectionSize(fit ? -1 : kLeastColumn);
  header.setSectionResizeMode(fit ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
  header.setSectionResizeMode(0, QHeaderView::ResizeToContents);
}

}  // namespace plastiscope
