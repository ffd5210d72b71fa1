#pragma once
// A view of each compared model beside the others, below a line with the model's name. Columns come and go
// with the models; what stands in them says the class derived from this.
#include <QWidget>
#include <vector>

#include "widgets/compare/compare_model.h"

class QHBoxLayout;

namespace plastiscope {

class ColumnHeader;

class CompareColumns : public QWidget {
  Q_OBJECT
 protected:
  CompareColumns(CompareModel& model, QWidget* parent);

  CompareModel& model() const { return m_model; }
  std::size_t columns() const { return m_columns.size(); }
  QWidget* viewAt(std::size_t index) const { return m_columns[index].view; }
  // The view of a new column, which owns it.
  virtual QWidget* makeView(std::size_t index) = 0;
  // Shows model `index` in its view.
  virtual void fill(QWidget* view, const CompareViews& views, std::size_t index) = 0;
  // What stands at the right of the model's name.
  virtual QString noteOf(const CompareViews& views, std::size_t index) const = 0;
  void retitle();  // notes have changed
  void changeEvent(QEvent* event) override;

 private:
  struct Column {
    QWidget* holder = nullptr;
    ColumnHeader* header = nullptr;
    QWidget* view = nullptr;
  };
  void take(const CompareViews& views);
  Column makeColumn(std::size_t index);

  CompareModel& m_model;
  QHBoxLayout* m_row;
  std::vector<Column> m_columns;
};

}  // namespace plastiscope
