#include "widgets/compare/numbers_table.h"

#include <QHeaderView>
#include <algorithm>
#include <cmath>

#include "core/analysis/statistics.h"
#include "core/compare/comparison.h"
#include "core/compare/measures.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/table_copy.h"

namespace plastiscope {

namespace {

constexpr int kNumbersRowHeight = 22, kLeastColumn = 88;
constexpr int kBesideName = 14;              // space around the mark that the header's size hint leaves out
constexpr std::size_t kLongestHeading = 13;  // beside the mark; the tool tip has the full name

}  // namespace

void CompareNumbers::setViews(std::shared_ptr<const CompareViews> views) {
  m_views = std::move(views);
  m_marks = seriesIcons(*m_views->comparison);
  std::vector<std::string> names;
  for (const ComparedModel& model : m_views->comparison->models) names.push_back(model.name);
  const std::vector<std::string> headings = shortNames(names, kLongestHeading);
  std::vector<Column> columns = {
      {NumbersTable::tr("Mean over heads"), {}, Qt::AlignLeft, [](const KeyNumber& number) {
         return QString::fromStdString(number.metric.title);
       }}};
  for (std::size_t model = 0; model < names.size(); ++model) {
    columns.push_back(
        {QString::fromStdString(headings[model]), plainTip(QString::fromStdString(names[model])),
         Qt::AlignRight,
         [model, published = m_views->comparison->models[model].published](const KeyNumber& number) {
           return QString::fromStdString(comparedText(number.mean[model], number.metric, published));
         },
         [model](const KeyNumber& number) { return number.mean[model]; }});
  }
  setColumns(std::move(columns));
  setRows(m_views->numbers);
}

QVariant CompareNumbers::data(const QModelIndex& index, int role) const {
  if ((role != Qt::ToolTipRole && role != kIntervalRole) || !index.isValid())
    return ListTable::data(index, role);
  const KeyNumber& number = rowAt(index.row());
  if (role == kIntervalRole) return index.column() == 0 ? QVariant() : interval(number, index.column() - 1);
  if (index.column() == 0) return QString::fromStdString(number.metric.meaning);
  return plainTip(tip(number, static_cast<std::size_t>(index.column() - 1)));
}

QVariant CompareNumbers::headerData(int section, Qt::Orientation orientation, int role) const {
  const bool isModel = orientation == Qt::Horizontal && section > 0 && section < columnCount();
  if (role == Qt::DecorationRole && isModel) return m_marks[static_cast<std::size_t>(section - 1)];
  return ListTable::headerData(section, orientation, role);
}

// 95 % over heads, of the mean.
QVariant CompareNumbers::interval(const KeyNumber& number, int column) const {
  const auto model = static_cast<std::size_t>(column);
  const auto heads = static_cast<double>(number.heads[model]);
  if (heads < 2 || !std::isfinite(number.sd[model])) return {};
  const double half = studentQuantile(heads - 1, 0.95) * number.sd[model] / std::sqrt(heads - 1);
  return QVariantList{number.mean[model] - half, number.mean[model] + half};
}

QString CompareNumbers::tip(const KeyNumber& number, std::size_t model) const {
  const auto numberText = [&number](double value) {
    return QString::fromStdString(metricText(value, number.metric));
  };
  QString words =
      NumbersTable::tr("mean of %1 heads, SD %2").arg(number.heads[model]).arg(numberText(number.sd[model]));
  const bool paired = m_views->matching == HeadMatching::SameHead && number.paired[model] > 0;
  if (!paired || !std::isfinite(number.difference[model])) return words;
  words += QStringLiteral("\n") + NumbersTable::tr("against %1, head by head: %2 (%3 heads)")
                                      .arg(QString::fromStdString(m_views->comparison->models.front().name),
                                           numberText(number.difference[model]))
                                      .arg(number.paired[model]);
  if (!number.over[model].empty())
    words += NumbersTable::tr(", 95 % over %1 from %2 to %3")
                 .arg(QString::fromStdString(number.over[model]), numberText(number.low[model]),
                      numberText(number.high[model]));
  if (number.verdict[model].empty()) return words;
  return words + QStringLiteral(": ") + QString::fromStdString(number.verdict[model]);
}

NumbersTable::NumbersTable(QWidget* parent) : QTableView(parent) {
  setObjectName(QStringLiteral("compareNumbers"));
  setAccessibleName(tr("Numbers of the models"));
  setModel(&m_numbers);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setFocusPolicy(Qt::StrongFocus);
  setTabKeyNavigation(false);  // Tab leaves the table, arrow keys move in it
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(kNumbersRowHeight);
  horizontalHeader()->setTextElideMode(Qt::ElideMiddle);
  offerTable(*this);
}

void NumbersTable::setViews(std::shared_ptr<const CompareViews> views) {
  m_numbers.setViews(std::move(views));
  if (isVisible()) shareWidth();
}

void NumbersTable::showEvent(QShowEvent* event) {
  QTableView::showEvent(event);
  shareWidth();
}

void NumbersTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  shareWidth();
}

// Divides the width among the models if all names and marks fit, else scrolls.
void NumbersTable::shareWidth() {
  const int models = m_numbers.columnCount() - 1;
  if (models < 1) return;
  QHeaderView& header = *horizontalHeader();
  const int first = std::max(sizeHintForColumn(0), header.sectionSizeHint(0));
  int least = kLeastColumn;
  for (int model = 1; model <= models; ++model)
    least = std::max(least, header.sectionSizeHint(model) + kBesideName);
  const bool fit = (viewport()->width() - first) / models >= least;
  header.setSectionResizeMode(fit ? QHeaderView::Stretch : QHeaderView::Fixed);
  header.setSectionResizeMode(0, QHeaderView::ResizeToContents);
  for (int model = 1; model <= models && !fit; ++model) header.resizeSection(model, least);
}

}  // namespace plastiscope

#include "moc_numbers_table.cpp"
