#pragma once
// Tables of the Rows panel: rows of the selected head with their text, and key pairs of a cell of the
// plasticity map with the token of each key.
#include <QTableView>
#include <optional>
#include <set>
#include <vector>

#include "core/analysis/pair_inspection.h"
#include "core/views/plane_data.h"
#include "core/views/text_data.h"
#include "widgets/models/text_links.h"
#include "widgets/state/list_table.h"
#include "widgets/state/selection.h"

class QSortFilterProxyModel;

namespace plastiscope {

class StudyModel;

// Query for the current selection: the only row, the first of several, or a requested token.
std::optional<QueryChoice> chosenQuery(const StudyModel& model);
// Position of that query; nullopt while the head's rows are being read.
std::optional<TokenPlace> queryToken(const StudyModel& model);

// "are [linked] directly": text of these lengths around the token.
QString tokenInContext(const RowText& text, int before, int after);

class RowsModel : public ListTable<std::pair<QueryOrKey, std::int64_t>> {
 public:
  enum {
    KindColumn,
    PositionColumn,
    BeforeColumn,
    TokenColumn,
    AfterColumn,
    ExampleColumn,
    AColumn,
    BColumn
  };

  explicit RowsModel(RowTexts& texts, QObject* parent = nullptr);
  // `plane` may be null: no rows.
  void show(std::shared_ptr<const PlaneData> plane, const std::shared_ptr<const SelectedRows>& rows);

 private:
  std::shared_ptr<const PlaneData> m_plane;
};

class PairsModel : public ListTable<InspectedPair> {
 public:
  enum {
    QueryColumn,
    EarlierColumn,
    EarlierTextColumn,
    LaterColumn,
    LaterTextColumn,
    PpColumn,
    ZColumn,
    ExampleColumn
  };

  PairsModel(RowTexts& texts, const std::vector<std::string>& exampleIds, QObject* parent = nullptr);
};

// Sortable table of rows; columns in `cutLeft` show the end of a long text, others its beginning.
class ListView : public QTableView {
  Q_OBJECT
 public:
  ListView(QAbstractItemModel& model, int sortRole, std::set<int> cutLeft, QWidget* parent);
  // Widths in digits of the view's font, at least that of the title; negative: minimum width of columns that
  // share the rest.
  void setWidths(const std::vector<int>& characters);
  int sourceRow(const QModelIndex& index) const;
  std::vector<int> chosenRows() const;  // rows of the source model

 Q_SIGNALS:
  void choiceChanged();

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void shareWidth();

  QSortFilterProxyModel* m_proxy;
  std::vector<int> m_characters;
};

}  // namespace plastiscope
