#include "widgets/explore/rows_model.h"

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

}  // namespace plastiscope
