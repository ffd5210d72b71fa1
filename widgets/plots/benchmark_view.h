#pragma once
// Models as points, a predictor against a score; the mouse or the arrow keys tell a point's numbers.
#include "core/compare/benchmark_data.h"
#include "widgets/plots/plot_view.h"

namespace plastiscope {

class BenchmarkView : public PlotView {
  Q_OBJECT
 public:
  explicit BenchmarkView(QWidget* parent = nullptr);
  ~BenchmarkView() override;
  void setData(std::shared_ptr<const BenchmarkData> data);  // also ends a message

 protected:
  void build(QCustomPlot& plot) override;
  void hovered(const QPointF& position, const QPoint& global) override;
  void keyPressEvent(QKeyEvent* event) override;  // left and right walk from point to point

 private:
  QPointF placeOf(const BenchmarkPoint& point) const;  // pixels
  QString tipOf(const BenchmarkPoint& point) const;
  void walk(int step);

  std::shared_ptr<const BenchmarkData> m_data;
  std::optional<std::size_t> m_walked;  // the point that the keys have reached, framed
};

}  // namespace plastiscope
