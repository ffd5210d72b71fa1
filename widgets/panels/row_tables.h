#pragma once
// The tables of the Rows panel: rows of the chosen head with the words around each, and key pairs behind a
// cell of the plasticity map with the token of each key.
#include <QAbstractTableModel>
#include <QTableView>
#include <set>
#include <vector>

#include "core/analysis/pair_inspection.h"
#include "core/views/plane_data.h"
#include "widgets/models/row_texts.h"
#include "widgets/state/selection.h"

class QSortFilterProxyModel;

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

class PairsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    QueryColumn,
    EarlierColumn,
    EarlierTextColumn,
    LaterColumn,
    LaterTextColumn,
    PpColumn,
    ZColumn,
    ExampleColumn
  };
  static constexpr int kColumns = 8;
  static constexpr int kSortRole = Qt::UserRole;

  PairsModel(RowTexts& texts, std::vector<std::string> exampleIds, QObject* parent = nullptr);

  void show(std::vector<InspectedPair> pairs);
  const InspectedPair& pairAt(int row) const { return m_pairs.at(static_cast<std::size_t>(row)); }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString wordsAt(std::int64_t example, std::int64_t position) const;
  QString nameOf(std::int64_t example) const;

  RowTexts& m_texts;
  std::vector<std::string> m_exampleIds;
  std::vector<InspectedPair> m_pairs;
};

// A sortable table of rows; columns in `cutLeft` show the end of a long text, the others its beginning.
// Ctrl+C copies the chosen rows as tab-separated text with the titles of the columns.
class ListView : public QTableView {
  Q_OBJECT
 public:
  ListView(QAbstractItemModel& model, int sortRole, std::set<int> cutLeft, QWidget* parent);
  // Widths in digits of the view's type, at least that of the title; negative: shares what is left, at least
  // so many.
  void setWidths(const std::vector<int>& characters);
  int sourceRow(const QModelIndex& index) const;
  std::vector<int> chosenRows() const;  // of the source model

 Q_SIGNALS:
  void choiceChanged();

 public Q_SLOTS:
  void copy();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void shareWidth();

  QSortFilterProxyModel* m_proxy;
  std::vector<int> m_characters;
};

}  // namespace plastiscope
