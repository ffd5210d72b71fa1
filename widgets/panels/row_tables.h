#pragma once
// The tables of the Rows panel: rows of the chosen head with the words around each, and key pairs behind a
// cell of the plasticity map with the token of each key.
#include <QTableView>
#include <optional>
#include <set>
#include <vector>

#include "core/analysis/pair_inspection.h"
#include "core/views/plane_data.h"
#include "core/views/text_data.h"
#include "widgets/models/token_context.h"
#include "widgets/state/list_table.h"
#include "widgets/state/selection.h"

class QSortFilterProxyModel;

namespace plastiscope {

class StudyModel;

// The query that stands for what is selected: the only row, the first of several, or a token that is asked
// for.
std::optional<QueryChoice> chosenQuery(const StudyModel& model);
// Where it stands; nothing while the head's rows are being read.
std::optional<TokenPlace> queryToken(const StudyModel& model);

// "are [linked] directly": so many characters around it.
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

// Ctrl+C, and Copy in the table's menu: the chosen rows as tab-separated text with the titles of the columns.
void offerCopy(QTableView& table);

// A sortable table of rows; columns in `cutLeft` show the end of a long text, the others its beginning.
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

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void shareWidth();

  QSortFilterProxyModel* m_proxy;
  std::vector<int> m_characters;
};

}  // namespace plastiscope
