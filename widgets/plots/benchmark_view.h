#pragma once
// Models as points, a predictor against a score; hovering tells a point's numbers.
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

 private:
  std::shared_ptr<const BenchmarkData> m_data;
};

}  // namespace plastiscope
