#pragma once
// Browser for the records of a file: metadata filters and the list of matching records.
#include <QAbstractTableModel>
#include <QWidget>
#include <memory>

#include "widgets/capture/record_list.h"

class QLabel;
class QTableView;
class QTreeWidget;
class QTreeWidgetItem;

namespace plastiscope {

// Matching records as a table: id with a check box to exclude it, tokens, fields.
class RecordsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { IdColumn, TokensColumn, FirstField };

  using QAbstractTableModel::QAbstractTableModel;

  void setList(std::shared_ptr<const RecordList> list);  // null: empty
  const RecordList* list() const { return m_list.get(); }
  const RecordChoice& choice() const { return m_choice; }
  void setWanted(int field, int value, bool wanted);
  void setCounts(std::shared_ptr<const RecordCounts> counts);  // null: no counting
  void countsChanged();

  const RecordEntry& recordAt(int row) const {
    return m_list->records[m_shown[static_cast<std::size_t>(row)]];
  }
  std::vector<std::int64_t> lengths() const;  // of the chosen records counted so far
  std::int64_t taken() const;
  std::vector<std::pair<std::string, std::string>> selection() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 Q_SIGNALS:
  void choiceChanged();

 private:
  void filter();

  std::shared_ptr<const RecordList> m_list;
  std::shared_ptr<const RecordCounts> m_counts;
  RecordChoice m_choice;
  std::vector<std::size_t> m_shown;  // matching records
};

// Filters and the list of matching records.
class RecordsBrowser : public QWidget {
  Q_OBJECT
 public:
  explicit RecordsBrowser(RecordsModel& model, QWidget* parent = nullptr);
  void showList(const QString& name);  // the model has a new list
  void clear();
  bool hasCurrent() const;  // a record is selected for display

 Q_SIGNALS:
  void rowChosen(int row);
  void otherRequested();  // another file was requested

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
