#pragma once
// Query and key rows of one head in two axes; drawn as an own raster, so a million points do not stutter.
#include "core/views/plane_data.h"
#include "widgets/plots/plot_view.h"

namespace plastiscope {

class AbPlaneView : public PlotView {
  Q_OBJECT
 public:
  explicit AbPlaneView(QWidget* parent = nullptr);
  ~AbPlaneView() override;

  // Resets zoom when the head or the axes changed. A plane with `missing` shows that sentence.
  void setData(std::shared_ptr<const PlaneData> content);
  // Queries with from <= position < to are ringed in orange (position scrubber); from >= to: none.
  void setQueryHighlight(std::int64_t from, std::int64_t to);

 Q_SIGNALS:
  void rowHovered(plastiscope::RowKind kind, qint64 row);  // row of CaptureFile::rows() of this kind
  void rowUnhovered();
  void rowActivated(plastiscope::RowKind kind, qint64 row);  // click

 public Q_SLOTS:
  void resetView() override;

 protected:
  void build(QCustomPlot& plot) override;
  void hovered(const QPointF& position, const QPoint& global) override;
  void hoverLeft() override;
  void clicked(const QPointF& position) override;

 private:
  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
Q_DECLARE_METATYPE(plastiscope::RowKind)
