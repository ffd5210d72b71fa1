#pragma once
// Table of values with columns described by data: title, tip, text, and sort key.
#include <QAbstractTableModel>
#include <functional>
#include <vector>

namespace plastiscope {

template <typename Row>
struct ListColumn {
  using Text = std::function<QString(const Row& row)>;
  using Value = std::function<QVariant(const Row& row)>;
  ListColumn(QString itsTitle, QString itsTip, Qt::AlignmentFlag itsAlignment, Text itsText,
             Value by = nullptr)
      : title(std::move(itsTitle)),
        tip(std::move(itsTip)),
        alignment(itsAlignment),
        text(std::move(itsText)),
        sortBy(std::move(by)) {}

  QString title, tip;
  Qt::AlignmentFlag alignment;
  Text text;
  Value sortBy;  // empty: sorted by text
};

template <typename Row>
class ListTable : public QAbstractTableModel {
 public:
  static constexpr int kSortRole = Qt::UserRole;
  using Column = ListColumn<Row>;

  using QAbstractTableModel::QAbstractTableModel;
  void setColumns(std::vector<Column> columns) { m_columns = std::move(columns); }
  void setRowTip(std::function<QString(const Row& row)> tip) { m_rowTip = std::move(tip); }
  void setRows(std::vector<Row> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
  }
  const std::vector<Row>& rows() const { return m_rows; }
  const Row& rowAt(int row) const { return m_rows.at(row); }
  // Announces new texts in these columns.
  void refresh(int first, int last) {
    if (!m_rows.empty()) Q_EMIT dataChanged(index(0, first), index(rowCount() - 1, last), {Qt::DisplayRole});
  }

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_rows.size(); }
  int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : m_columns.size();
  }
  QVariant data(const QModelIndex& index, int role) const override {
    if (!index.isValid()) return {};
    const Column& column = m_columns[index.column()];
    const Row& row = rowAt(index.row());
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignVCenter | column.alignment);
    if (role == kSortRole && column.sortBy) return column.sortBy(row);
    if (role == Qt::DisplayRole || role == kSortRole) return column.text(row);
    return role == Qt::ToolTipRole && m_rowTip ? QVariant(m_rowTip(row)) : QVariant();
  }
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const Column& column = m_columns[section];
    if (role == Qt::DisplayRole) return column.title;
    if (role == Qt::ToolTipRole && !column.tip.isEmpty()) return column.tip;
    return role == Qt::TextAlignmentRole ? QVariant(Qt::AlignVCenter | column.alignment) : QVariant();
  }

 private:
  std::vector<Column> m_columns;
  std::vector<Row> m_rows;
  std::function<QString(const Row& row)> m_rowTip;
};

}  // namespace plastiscope
