#pragma once
// The records of a file: filters by what they say about themselves, and the list of what passes.
#include <QWidget>

#include "widgets/capture/records_model.h"

class QLabel;
class QTableView;
class QTreeWidget;
class QTreeWidgetItem;

namespace plastiscope {

class RecordsBrowser : public QWidget {
  Q_OBJECT
 public:
  explicit RecordsBrowser(RecordsModel& model, QWidget* parent = nullptr);
  void showList(const QString& name);  // the model has a new list
  void clear();
  bool hasCurrent() const;  // a record is chosen to be looked at

 Q_SIGNALS:
  void rowChosen(int row);
  void otherRequested();  // of another file

 private:
  QWidget* buildHead();
  void setUpFilters();
  void setUpTable();
  void fillFilters();
  void showFilterCounts();
  void filterChanged(QTreeWidgetItem* item);

  RecordsModel& m_model;
  QLabel* m_name;
  QTreeWidget* m_filters;
  QTableView* m_table;
};

}  // namespace plastiscope
