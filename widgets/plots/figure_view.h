#pragma once
// A widget that shows what a figure builder draws, for pictures that need no mouse of their own.
#include <functional>

#include "widgets/plots/plot_view.h"

namespace plastiscope {

class FigureView : public PlotView {
  Q_OBJECT
 public:
  using Build = std::function<void(QCustomPlot&, const PlotStyle&)>;
  using PlotView::PlotView;
  void setFigure(Build build);  // also ends a message

 protected:
  void build(QCustomPlot& plot) override;

 private:
  Build m_build;
};

}  // namespace plastiscope
