#pragma once
// The head grids of all models side by side: one colour range, one linked head.
#include "widgets/compare/compare_columns.h"

namespace plastiscope {

class CompareGrids : public CompareColumns {
  Q_OBJECT
 public:
  explicit CompareGrids(CompareModel& model, QWidget* parent = nullptr);

 protected:
  QWidget* makeView(std::size_t index) override;
  void fill(QWidget* view, const CompareViews& views, std::size_t index) override;
  QString noteOf(const CompareViews& views, std::size_t index) const override;
};

}  // namespace plastiscope
