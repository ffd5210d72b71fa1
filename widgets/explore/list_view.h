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
