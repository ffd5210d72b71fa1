#pragma once
// The plasticity maps of all models side by side, on one colour range unless it is unlocked.
#include <QWidget>
#include <vector>

#include "widgets/compare/compare_model.h"

class QHBoxLayout;

namespace plastiscope {

class ColumnHeader;
class PlasticityMapView;

class CompareMaps : public QWidget {
  Q_OBJECT
 public:
  explicit CompareMaps(CompareModel& model, QWidget* parent = nullptr);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Column {
    QWidget* holder = nullptr;
    ColumnHeader* header = nullptr;
    PlasticityMapView* map = nullptr;
  };
  void take(const CompareViews& views);
  Column makeColumn(std::size_t index);

  CompareModel& m_model;
  QHBoxLayout* m_row;
  std::vector<Column> m_columns;
};

}  // namespace plastiscope
