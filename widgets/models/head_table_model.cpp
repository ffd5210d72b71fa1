#include "widgets/models/head_table_model.h"

#include <QCoreApplication>
#include <QPainter>
#include <QTextDocument>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/views/column_units.h"
#include "core/views/head_interval.h"
#include "core/views/metric_info.h"
#include "core/views/study_facts.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/table_copy.h"

namespace plastiscope {

namespace {

QString plain(const std::string& rich) {
  QString text = QString::fromStdString(rich);
  for (const char* tag : {"<sub>", "</sub>", "<sup>", "</sup>", "<i>", "</i>"})
    text.remove(QLatin1String(tag));
  return text;
}

// Number of decimals for a column so that its largest value has three significant digits; -1: the values are
// too small or span too much for a common number.
int decimalsOf(const Table& heads, const std::string& column) {
  double largest = 0;
  for (std::size_t row = 0; row < heads.rows(); ++row) {
    const double value = std::abs(numberAt(heads, column, row));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  if (largest < 1e-4 || largest >= 1e6) return -1;
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(largest))), 0, 6);
}

// Removes text in brackets: "Bn (recency +)" is explained in the tool tip.
QString shortTitle(QString title) {
  const qsizetype bracket = title.indexOf(QLatin1String(" ("));
  return bracket < 0 ? title : title.left(bracket);
}

struct Spelling {
  const char* value;
  const char* words;
};
// Short forms of values and names in narrow columns.
constexpr std::array kSpellings = {
    Spelling{"position_dominated", QT_TRANSLATE_NOOP("HeadTableModel", "position")},
    Spelling{"q_positional", QT_TRANSLATE_NOOP("HeadTableModel", "q-position")},
    Spelling{"k_positional", QT_TRANSLATE_NOOP("HeadTableModel", "k-position")},
    Spelling{"content_focused", QT_TRANSLATE_NOOP("HeadTableModel", "content")},
    Spelling{"taxonomy", QT_TRANSLATE_NOOP("HeadTableModel", "Class")},
    Spelling{"attention", QT_TRANSLATE_NOOP("HeadTableModel", "Attention")},
    Spelling{"rope", QT_TRANSLATE_NOOP("HeadTableModel", "RoPE")},
    Spelling{"true", QT_TRANSLATE_NOOP("HeadTableModel", "yes")},
    Spelling{"false", QT_TRANSLATE_NOOP("HeadTableModel", "no")},
};
QString readable(const std::string& value) {
  for (const Spelling& spelling : kSpellings) {
    if (value == spelling.value) return QCoreApplication::translate("HeadTableModel", spelling.words);
  }
  return QString::fromStdString(value);
}

QString tipOf(const MetricInfo& info) {
  QString tip = QStringLiteral("<b>%1</b> <span>(%2)</span><br>%3")
                    .arg(QString::fromStdString(info.label), QString::fromStdString(info.column),
                         QString::fromStdString(info.meaning));
  if (!info.formula.empty())
    tip += QStringLiteral("<br>= %1").arg(QString::fromStdString(info.formula).toHtmlEscaped());
  if (!info.sign.empty()) tip += "<br>" + QString::fromStdString(info.sign);
  if (!info.unit.empty()) tip += QObject::tr("<br>Unit: %1").arg(QString::fromStdString(info.unit));
  if (!info.caveat.empty()) tip += QStringLiteral("<br><i>%1</i>").arg(QString::fromStdString(info.caveat));
  return QStringLiteral("<qt>%1</qt>").arg(tip);
}

}  // namespace

HeadTableModel::HeadTableModel(QObject* parent) : QAbstractTableModel(parent) {}

std::vector<std::string> HeadTableModel::standardColumns(ApKind plasticity) {
  return {columnAs(plasticity, "ap_drop"),
          columnAs(plasticity, "ap_overall"),
          "bias_window",
          "r_q_a",
          "r_k_a",
          "taxonomy"};
}

void HeadTableModel::setHeads(std::shared_ptr<const AnalysisFile> analysis) {
  beginResetModel();
  const Table* before = m_heads;
  const auto old = std::exchange(m_analysis, std::move(analysis));
  m_heads = m_analysis ? m_analysis->find("heads") : nullptr;
  m_rows.clear();
  for (int row = 0; row < rowCount(); ++row) m_rows[headAt(row)] = row;
  endResetModel();
  std::vector<std::string> columns = m_columns.empty() ? standardColumns() : m_columns;
  if (before != nullptr && m_heads != nullptr)
    for (const MetricInfo& metric : metricsOf(*m_heads))
      if (metric.group == kImportedGroup && !before->find(metric.column))
        columns.insert(columns.begin(), metric.column);
  setColumns(columns);
}

void HeadTableModel::setColumns(const std::vector<std::string>& columns) {
  std::vector<std::string> known;
  for (const std::string& column : columns) {
    if (!m_heads || !m_heads->find(column)) continue;
    known.push_back(column);
    m_decimals[column] = decimalsOf(*m_heads, column);
  }
  if (!known.empty() && known.size() == m_columns.size() && rowCount() > 0) {  // keeps the view's sections
    m_columns = std::move(known);
    Q_EMIT headerDataChanged(Qt::Horizontal, FirstValueColumn, columnCount() - 1);
    columnsChanged(FirstValueColumn, columnCount() - 1);
    return;
  }
  beginResetModel();
  m_columns = std::move(known);
  endResetModel();
}

void HeadTableModel::columnsChanged(int first, int last) {
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, first), index(rowCount() - 1, last));
}

void HeadTableModel::setMarked(const std::set<HeadName>& marked) {
  if (marked == m_marked) return;
  m_marked = marked;
  columnsChanged(StarColumn, StarColumn);
}

void HeadTableModel::setNotes(const std::map<HeadName, std::string>& notes) {
  m_notes = notes;
  columnsChanged(NameColumn, NameColumn);
}

void HeadTableModel::setDamaged(const std::map<HeadName, std::string>& heads) {
  m_damaged = heads;
  columnsChanged(NameColumn, NameColumn);
}

HeadName HeadTableModel::headAt(int row) const {
  return {m_heads->integers("layer")[row], m_heads->integers("head")[row]};
}

int HeadTableModel::rowOf(HeadName head) const {
  const auto row = m_rows.find(head);
  return row == m_rows.end() ? -1 : row->second;
}

int HeadTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_heads ? 0 : m_heads->rows();
}

int HeadTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_heads ? 0 : FirstValueColumn + m_columns.size();
}

QVariant HeadTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const int row = index.row();
  if (index.column() == StarColumn) {
    if (role == Qt::DecorationRole && isMarked(row))
      return lineIcon(QStringLiteral("star-filled"), QStringLiteral("selection"));
    if (role == Qt::ToolTipRole)
      return isMarked(row) ? tr("Marked. Press S to unmark") : tr("Press S to mark this head");
    if (role == Qt::AccessibleTextRole) return isMarked(row) ? tr("starred") : tr("not starred");
    if (role == SortRole) return isMarked(row) ? 0.0 : 1.0;
    return {};
  }
  if (index.column() == NameColumn) {
    const HeadName head = headAt(row);
    if (role == Qt::DisplayRole) return tr("L%1 H%2").arg(head.layer).arg(head.head);
    if (role == SortRole) return head.layer * 1e6 + head.head;
    if (const auto damage = m_damaged.find(head); damage != m_damaged.end()) {
      if (role == Qt::DecorationRole) return lineIcon(QStringLiteral("warning"), QStringLiteral("bad"));
      if (role == Qt::ToolTipRole)
        return plainTip(tr("Damaged: %1").arg(QString::fromStdString(damage->second)));
      if (role == Qt::AccessibleTextRole) return tr("L%1 H%2, damaged").arg(head.layer).arg(head.head);
      return {};
    }
    const auto note = m_notes.find(head);
    if (note == m_notes.end()) return {};
    if (role == Qt::DecorationRole) return lineIcon(QStringLiteral("note"), QStringLiteral("muted"));
    if (role == Qt::ToolTipRole) return plainTip(QString::fromStdString(note->second));
    if (role == Qt::AccessibleTextRole) return tr("L%1 H%2, with a note").arg(head.layer).arg(head.head);
    return {};
  }
  return cell(m_columns[index.column() - FirstValueColumn], row, role);
}

QVariant HeadTableModel::cell(const std::string& column, int row, int role) const {
  const Column* values = m_heads->find(column);
  if (const auto* texts = std::get_if<std::vector<std::string>>(&values->values)) {
    const std::string& text = (*texts)[row];
    if (role == Qt::DisplayRole) return readable(text);
    if (role == Qt::ToolTipRole) return plainTip(QString::fromStdString(text));
    if (role == SortRole && !text.empty()) return QString::fromStdString(text);
    return {};
  }
  if (role == kIntervalRole) {
    const Interval interval = intervalOverExamples(*m_heads, column, static_cast<std::size_t>(row));
    return interval.known() ? QVariantList{interval.low, interval.high} : QVariant();
  }
  const double value = numberAt(*m_heads, column, row);
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::DisplayRole) {
    if (std::isnan(value)) return QString();
    const bool whole = std::holds_alternative<std::vector<std::int64_t>>(values->values);
    if (whole) return groupedText(value);
    const int decimals = m_decimals.at(column);
    return QString::fromStdString(decimals < 0 ? metricText(value) : fixedText(value, decimals));
  }
  if (role == Qt::ToolTipRole && std::isnan(value)) {
    const std::string why = columnAs(ApKind::Binned, column) == column ? "" : missingAligned(*m_heads, row);
    return why.empty() ? tr("missing: too few rows or not defined for this head")
                       : plainTip(tr("missing: %1").arg(QString::fromStdString(why)));
  }
  if (role == SortRole && !std::isnan(value)) return value;
  return {};
}

QVariant HeadTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  if (section == StarColumn) return role == Qt::ToolTipRole ? tr("Marked heads") : QVariant();
  if (section == NameColumn) {
    if (role == Qt::DisplayRole) return tr("Head");
    if (role == Qt::ToolTipRole) return tr("Layer and query head, both from 0");
    return {};
  }
  const MetricInfo info = describeMetric(m_columns[section - FirstValueColumn]);
  const bool number = m_heads && m_heads->find(info.column) &&
                      !std::holds_alternative<std::vector<std::string>>(m_heads->find(info.column)->values);
  if (!number && (role == Qt::DisplayRole || role == RichTitleRole)) return readable(info.column);
  switch (role) {
    case Qt::DisplayRole:
      return shortTitle(info.label.empty() ? QString::fromStdString(info.title) : plain(info.label));
    case RichTitleRole:
      return shortTitle(QString::fromStdString(info.label.empty() ? info.title : info.label));
    case Qt::ToolTipRole:
      return tipOf(info);
    case Qt::TextAlignmentRole:
      return QVariant((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
      return {};
  }
}

HeadTableProxy::HeadTableProxy(HeadTableModel& model, QObject* parent)
    : QSortFilterProxyModel(parent), m_model(model) {
  setSourceModel(&model);
  // After a reset the filter's pointers into the old table are invalid.
  connect(&model, &QAbstractItemModel::modelAboutToBeReset, this, [this] { m_filter = {}; });
  connect(&model, &QAbstractItemModel::modelReset, this, [this] {
    try {
      setExpression(m_expression);
    } catch (const FilterError&) {  // a column of the old table: shows everything
    }
  });
}

void HeadTableProxy::setExpression(const std::string& expression) {
  if (!m_model.heads()) return;
  m_filter = HeadFilter(
      expression, *m_model.heads(),
      HeadSets{[this](std::size_t row) { return m_model.isMarked(static_cast<int>(row)); }, m_groups});
  m_expression = expression;
  invalidateFilter();
}

void HeadTableProxy::setGroups(const HeadGroups& groups) {
  m_groups = groups;
  try {
    setExpression(m_expression);
  } catch (const FilterError&) {  // a deleted group: its heads stay until the expression is changed
  }
}

std::set<HeadName> HeadTableProxy::matchingHeads() const {
  std::set<HeadName> heads;
  for (int row = 0; row < m_model.rowCount(); ++row) {
    if (m_filter.matches(row)) heads.insert(m_model.headAt(row));
  }
  return heads;
}

void HeadTableProxy::setOnly(std::optional<std::vector<HeadName>> heads) {
  if (heads == m_only) return;
  m_only = std::move(heads);
  invalidateFilter();
}

bool HeadTableProxy::filterAcceptsRow(int row, const QModelIndex&) const {
  return m_filter.matches(row) && (!m_only || std::ranges::binary_search(*m_only, m_model.headAt(row)));
}

bool HeadTableProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const QVariant a = left.data(HeadTableModel::SortRole), b = right.data(HeadTableModel::SortRole);
  const bool ascending = sortOrder() == Qt::AscendingOrder;
  if (!a.isValid() || !b.isValid()) {
    if (a.isValid() == b.isValid()) return left.row() < right.row();
    return ascending ? a.isValid() : b.isValid();
  }
  if (a.userType() == QMetaType::Double) {
    const double x = a.toDouble(), y = b.toDouble();
    if (x != y) return x < y;
  } else if (a.toString() != b.toString()) {
    return a.toString() < b.toString();
  }
  return ascending ? left.row() < right.row() : left.row() > right.row();  // ties keep their reading order
}

namespace {
constexpr int kArrowRoom = 14, kMargin = 6;
}

RichHeader::RichHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
  setHighlightSections(false);
}

void RichHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
  const QString title =
      model()->headerData(section, Qt::Horizontal, HeadTableModel::RichTitleRole).toString();
  if (!title.contains(QLatin1Char('<'))) return QHeaderView::paintSection(painter, rect, section);
  // Frame, background and sort arrow of the style, without the plain text.
  QStyleOptionHeader option;
  initStyleOption(&option);
  option.rect = rect;
  option.section = section;
  const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == section;
  if (sorted) {
    option.sortIndicator = sortIndicatorOrder() == Qt::AscendingOrder ? QStyleOptionHeader::SortDown
                                                                      : QStyleOptionHeader::SortUp;
  }
  style()->drawControl(QStyle::CE_Header, &option, painter, this);
  const int alignment = model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
  QFont font = this->font();
  font.setWeight(sorted ? QFont::DemiBold : QFont::Normal);
  QTextDocument text;
  text.setDocumentMargin(0);
  text.setDefaultFont(font);
  text.setHtml(QStringLiteral("<span style='color:%1'>%2</span>")
                   .arg(palette().color(QPalette::WindowText).name(), title));
  const QRect room = rect.adjusted(kMargin, 0, -(sorted ? kArrowRoom : kMargin), 0);
  const double x = alignment & Qt::AlignRight
                       ? std::max<double>(room.left(), room.right() - text.idealWidth())
                       : room.left();
  painter->save();
  painter->setClipRect(rect);
  painter->translate(x, room.center().y() - text.size().height() / 2 + 1);
  text.drawContents(painter);
  painter->restore();
}

}  // namespace plastiscope

#include "moc_head_table_model.cpp"
