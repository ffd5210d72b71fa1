#pragma once
// A widget that shows what a figure builder draws, for pictures that need no mouse of their own.
#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "widgets/plots/plot_view.h"

namespace plastiscope {

// What is said about a point of the picture when the mouse is near it. `panel`: number of its axis rect.
struct FigureTip {
  int panel = 0;
  double x = 0, y = 0;
  QString text;  // rich
};

class FigureView : public PlotView {
  Q_OBJECT
 public:
  using Build = std::function<void(QCustomPlot&, const PlotStyle&)>;
  using PlotView::PlotView;
  void setFigure(Build build);  // also ends a message
  void setTips(std::vector<FigureTip> tips);
  // A line across the first panel at this x of its axis; nothing = none.
  void setCursor(std::optional<double> x);

 Q_SIGNALS:
  void placeActivated(double x);  // a click into the first panel

 protected:
  void build(QCustomPlot& plot) override;
  void hovered(const QPointF& position, const QPoint& global) override;
  void clicked(const QPointF& position) override;

 private:
  Build m_build;
  std::optional<double> m_cursor;
  std::vector<FigureTip> m_tips;
};

}  // namespace plastiscope
