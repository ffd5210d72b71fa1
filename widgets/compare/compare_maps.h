#pragma once
// The plasticity maps of all models side by side, on one colour range unless it is unlocked, with one marked
// cell for all.
#include "core/compare/map_cells.h"
#include "widgets/compare/compare_columns.h"

namespace plastiscope {

class CompareMaps : public CompareColumns {
  Q_OBJECT
 public:
  explicit CompareMaps(CompareModel& model, QWidget* parent = nullptr);

 Q_SIGNALS:
  void placeChanged(const QString& place);  // where the marked cell lies; "" = none is marked

 protected:
  QWidget* makeView(std::size_t index) override;
  void fill(QWidget* view, const CompareViews& views, std::size_t index) override;
  QString noteOf(const CompareViews& views, std::size_t index) const override;

 private:
  void mark();
  void activated(std::size_t index, MapCell cell);
};

}  // namespace plastiscope
