#pragma once
// Rows of the chosen head as a table, with the words around each: the Rows panel's lists.
#include <QAbstractTableModel>
#include <vector>

#include "core/views/plane_data.h"
#include "widgets/models/token_context.h"
#include "widgets/state/selection.h"

namespace plastiscope {

class RowsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    KindColumn,
    PositionColumn,
    BeforeColumn,
    TokenColumn,
    AfterColumn,
    ExampleColumn,
    AColumn,
    BColumn
  };
  static constexpr int kColumns = 8;
  static constexpr int kSortRole = Qt::UserRole;

  explicit RowsModel(RowTexts& texts, QObject* parent = nullptr);

  // `plane` may be null: no rows.
  void show(std::shared_ptr<const PlaneData> plane, std::shared_ptr<const SelectedRows> rows);
  std::pair<QueryOrKey, std::int64_t> rowAt(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString textOf(const PlaneRows& rows, std::size_t row, int column) const;

  RowTexts& m_texts;
  std::shared_ptr<const PlaneData> m_plane;
  std::vector<std::pair<QueryOrKey, std::int64_t>> m_rows;
};

}  // namespace plastiscope
