#include "widgets/panels/row_tables.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <cmath>
#include <cstdlib>

#include "core/base/error.h"
#include "core/views/metric_info.h"

namespace plastiscope {

RowsModel::RowsModel(RowTexts& texts, QObject* parent) : QAbstractTableModel(parent), m_texts(texts) {
  connect(&texts, &RowTexts::arrived, this, [this] {
    if (!m_rows.empty())
      Q_EMIT dataChanged(index(0, BeforeColumn), index(rowCount() - 1, AfterColumn), {Qt::DisplayRole});
  });
}

void RowsModel::show(std::shared_ptr<const PlaneData> plane, std::shared_ptr<const SelectedRows> rows) {
  beginResetModel();
  m_plane = std::move(plane);
  m_rows.clear();
  if (m_plane && rows) {
    const auto add = [&](QueryOrKey kind, const std::vector<std::int64_t>& chosen) {
      for (const std::int64_t row : chosen) {
        if (row >= 0 && static_cast<std::size_t>(row) < m_plane->rows(kind).size())
          m_rows.emplace_back(kind, row);
      }
    };
    add(QueryOrKey::Query, rows->query);
    add(QueryOrKey::Key, rows->key);
  }
  endResetModel();
}

std::pair<QueryOrKey, std::int64_t> RowsModel::rowAt(int row) const {
  return m_rows.at(static_cast<std::size_t>(row));
}

int RowsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RowsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QString RowsModel::textOf(const PlaneRows& rows, std::size_t row, int column) const {
  const auto text = m_texts.at(rows.example[row], rows.position[row]);
  if (!text) return {};
  const std::string& part = column == BeforeColumn  ? text->before
                            : column == TokenColumn ? text->token
                                                    : text->after;
  return QString::fromStdString(part);
}

QVariant RowsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto [kind, number] = m_rows[static_cast<std::size_t>(index.row())];
  const PlaneRows& rows = m_plane->rows(kind);
  const auto row = static_cast<std::size_t>(number);
  const int column = index.column();
  if (role == Qt::TextAlignmentRole) {
    const bool right =
        column == PositionColumn || column == BeforeColumn || column == AColumn || column == BColumn;
    return int(Qt::AlignVCenter | (right                   ? Qt::AlignRight
                                   : column == TokenColumn ? Qt::AlignHCenter
                                                           : Qt::AlignLeft));
  }
  if (role != Qt::DisplayRole && role != kSortRole) return {};
  const bool sort = role == kSortRole;
  switch (column) {
    case KindColumn:
      return kind == QueryOrKey::Query ? tr("Q") : tr("K");
    case PositionColumn:
      return sort ? QVariant(rows.position[row])
                  : QVariant(QString::fromStdString(withCommas(rows.position[row])));
    case ExampleColumn: {
      const auto example = static_cast<std::size_t>(rows.example[row]);
      return example < m_plane->exampleIds.size() ? QString::fromStdString(m_plane->exampleIds[example])
                                                  : QString::number(rows.example[row]);
    }
    case AColumn:
    case BColumn: {
      const auto value = static_cast<double>(column == AColumn ? rows.x[row] : rows.y[row]);
      return sort ? QVariant(value) : QVariant(QString::fromStdString(fixedText(value, 2)));
    }
    default:
      return textOf(rows, row, column);
  }
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  const QString titles[kColumns] = {QString(),   tr("Position"), tr("Before"), tr("Token"),
                                    tr("After"), tr("Text"),     tr("a"),      tr("b")};
  return titles[section];
}

namespace {

constexpr int kPairBefore = 6, kPairAfter = 12;  // characters around the token

QString pairNumber(double value, int decimals) {
  return QString::fromStdString(fixedText(value, decimals));
}

}  // namespace

PairsModel::PairsModel(RowTexts& texts, std::vector<std::string> exampleIds, QObject* parent)
    : QAbstractTableModel(parent), m_texts(texts), m_exampleIds(std::move(exampleIds)) {
  connect(&texts, &RowTexts::arrived, this, [this] {
    if (!m_pairs.empty())
      Q_EMIT dataChanged(index(0, EarlierTextColumn), index(rowCount() - 1, LaterTextColumn),
                         {Qt::DisplayRole});
  });
}

void PairsModel::show(std::vector<InspectedPair> pairs) {
  beginResetModel();
  m_pairs = std::move(pairs);
  endResetModel();
}

int PairsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_pairs.size());
}

int PairsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QString PairsModel::nameOf(std::int64_t example) const {
  const auto at = static_cast<std::size_t>(example);
  return at < m_exampleIds.size() ? QString::fromStdString(m_exampleIds[at]) : QString::number(example);
}

// "… they are [linked] directly …"
QString PairsModel::wordsAt(std::int64_t example, std::int64_t position) const {
  const auto text = m_texts.at(example, position);
  if (!text || text->empty()) return {};
  return QString::fromStdString(text->before).right(kPairBefore) + QStringLiteral("[") +
         QString::fromStdString(text->token) + QStringLiteral("]") +
         QString::fromStdString(text->after).left(kPairAfter);
}

QVariant PairsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const InspectedPair& pair = pairAt(index.row());
  const int column = index.column();
  if (role == Qt::TextAlignmentRole) {
    const bool left = column == EarlierTextColumn || column == LaterTextColumn || column == ExampleColumn;
    return int(Qt::AlignVCenter | (left ? Qt::AlignLeft : Qt::AlignRight));
  }
  if (role != Qt::DisplayRole && role != kSortRole) return {};
  const auto counted = [role](double value) {
    return role == kSortRole ? QVariant(value)
                             : QVariant(QString::fromStdString(withCommas(std::llround(value))));
  };
  const auto measured = [role](double value) {
    return role == kSortRole ? QVariant(value) : QVariant(pairNumber(value, 3));
  };
  switch (column) {
    case QueryColumn:
      return counted(pair.tau);
    case EarlierColumn:
      return counted(static_cast<double>(pair.earlier));
    case LaterColumn:
      return counted(static_cast<double>(pair.later));
    case EarlierTextColumn:
      return wordsAt(pair.earlierExample, pair.earlier);
    case LaterTextColumn:
      return wordsAt(pair.laterExample, pair.later);
    case PpColumn:
      return measured(pair.pp);
    case ZColumn:
      return measured(pair.z);
    default:
      return pair.earlierExample == pair.laterExample
                 ? nameOf(pair.earlierExample)
                 : nameOf(pair.earlierExample) + QStringLiteral(" · ") + nameOf(pair.laterExample);
  }
}

QVariant PairsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const QString titles[kColumns] = {tr("Query"), tr("Key 1"), tr("Words"), tr("Key 2"),
                                    tr("Words"), tr("PP"),    tr("z"),     tr("Text")};
  const QString tips[kColumns] = {
      tr("Position of the queries' bin, tokens"),
      tr("Position of the earlier key, tokens"),
      tr("The earlier key's token with the words around it"),
      tr("Position of the later key, tokens"),
      tr("The later key's token with the words around it"),
      tr("Pairwise plasticity 4 p (1 − p): 1 when both keys may win"),
      tr("Mean over standard deviation of the score difference, earlier minus later key"),
      tr("Text that the keys come from")};
  if (role == Qt::DisplayRole) return titles[section];
  if (role == Qt::ToolTipRole) return tips[section];
  return {};
}

namespace {

constexpr int kListRowHeight = 21, kCellMargin = 14, kTitleMargin = 18;

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
  verticalHeader()->setDefaultSectionSize(kListRowHeight);
  verticalHeader()->setMinimumSectionSize(kListRowHeight);
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
