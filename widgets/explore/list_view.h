#pragma once
// The look of the explore panels' tables, and copying what is chosen in them.
#include <QTableView>
#include <set>

class QSortFilterProxyModel;

namespace plastiscope {

// A sortable table of rows; columns in `cutLeft` show the end of a long text, the others its beginning.
// Ctrl+C copies the chosen rows as tab-separated text with the titles of the columns.
class ListView : public QTableView {
  Q_OBJECT
 public:
  ListView(QAbstractItemModel& model, int sortRole, std::set<int> cutLeft, QWidget* parent);
  // Widths in characters of the view's type; -1 = takes what is left.
  void setWidths(const std::vector<int>& characters);
  int sourceRow(const QModelIndex& index) const;
  std::vector<int> chosenRows() const;  // of the source model

 Q_SIGNALS:
  void choiceChanged();

 public Q_SLOTS:
  void copy();

 private:
  QSortFilterProxyModel* m_proxy;
};

}  // namespace plastiscope
