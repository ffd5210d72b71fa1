#pragma once
// The head grids of all models side by side: one colour range, one linked head.
#include <QWidget>
#include <vector>

#include "widgets/compare/compare_model.h"

class QHBoxLayout;

namespace plastiscope {

class ColumnHeader;
class HeadGridView;

class CompareGrids : public QWidget {
  Q_OBJECT
 public:
  explicit CompareGrids(CompareModel& model, QWidget* parent = nullptr);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Column {
    QWidget* holder = nullptr;
    ColumnHeader* header = nullptr;
    HeadGridView* grid = nullptr;
  };
  void take(const CompareViews& views);
  Column makeColumn(std::size_t index);
  void fillColumn(const Column& column, const CompareViews& views, std::size_t index);

  CompareModel& m_model;
  QHBoxLayout* m_row;
  std::vector<Column> m_columns;
};

}  // namespace plastiscope
