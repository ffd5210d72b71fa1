#pragma once
// Mean PP over inter-key distance and query-to-midpoint distance.
#include <functional>

#include "core/compare/matching.h"
#include "widgets/plots/plot_view.h"

namespace plastiscope {

class PlasticityMapView : public PlotView {
  Q_OBJECT
 public:
  explicit PlasticityMapView(QWidget* parent = nullptr);
  ~PlasticityMapView() override;

  void setData(std::shared_ptr<const MapData> content);
  void setRange(std::optional<std::pair<double, double>> range);  // nullopt = fixed to 0..1
  std::pair<double, double> range() const;                        // as shown
  void setRangeFromData();                                        // range of the visible cells
  void setCountsShown(bool shown);
  // A difference of two maps, on colours from -most to most.
  void setDifference(const MapData& difference, double most);
  // The cell framed in orange; stays when the data changes. Nullopt = none.
  void setMarked(std::optional<MapCell> cell);
  // Additional text in the tip of a cell (rich); "" = none.
  void setTipAddition(std::function<QString(qint64 column, qint64 row)> addition);

 Q_SIGNALS:
  void cellHovered(qint64 column, qint64 row);
  void cellActivated(qint64 column, qint64 row);  // click or arrow keys; the cell is marked

 protected:
  std::optional<Plot> makePlot() const override;
  void paintOverlay(QPainter& painter) const override;
  void hovered(const QPointF& position, const QPoint& global) override;
  void clicked(const QPointF& position) override;
  void keyPressEvent(QKeyEvent* event) override;  // arrow keys move the mark

 private:
  void activate(qint64 column, qint64 row);
  std::optional<MapCell> cellAt(const QPointF& position) const;
  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
