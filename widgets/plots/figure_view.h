#pragma once
// Views that show a plot with tool tips: comparisons, components, values before and after a change.
#include <optional>
#include <set>

#include "core/figures/figures.h"
#include "widgets/plots/plot_view.h"

namespace plastiscope {

class FigureView : public PlotView {
  Q_OBJECT
 public:
  using PlotView::PlotView;
  void setPlot(Plot plot);  // also removes a message
  // Vertical line across the first box at this x; nullopt = none.
  void setCursor(std::optional<double> x);
  // Keys that must be held to zoom and pan the first box; without them it cannot be zoomed.
  void setZoomKeys(Qt::KeyboardModifiers keys) { m_zoomKeys = keys; }
  std::optional<ViewRange> wholeRange() const override;  // nullopt: cannot be zoomed now
  // Curves hidden in the legend, by the text of their entry; they stay hidden in the next plot.
  const std::set<std::string>& hiddenSeries() const { return m_hidden; }

 Q_SIGNALS:
  void placeActivated(double x);       // a click into the first box
  void pointActivated(QPointF place);  // the same with both coordinates of its axes
  void menuAskedAt(QPointF place);     // same coordinates; before the menu opens

 protected:
  std::optional<Plot> makePlot() const override;
  void paintOverlay(QPainter& painter) const override;
  void clicked(const QPointF& position) override;
  void menuAsked(const QPointF& position) override;
  Qt::KeyboardModifiers zoomKeys() const override { return m_zoomKeys; }
  bool laidOut() override;
  void forgetPlot();

 private:
  std::optional<QPointF> placeAt(const QPointF& position) const;  // on the axes of the first box

  std::optional<Plot> m_plot;
  std::optional<double> m_cursor;
  std::set<std::string> m_hidden;
  Qt::KeyboardModifiers m_zoomKeys = Qt::NoModifier;
  bool m_isPart = false;  // drawn as part: nothing outside its box
};

// Explained variance and r with position per principal component.
class ComponentsView : public FigureView {
  Q_OBJECT
 public:
  explicit ComponentsView(QWidget* parent = nullptr);
  void setData(const std::shared_ptr<const ComponentsData>& content);
};

// Share of each query dimension in the linear drift, RoPE pair marked.
class WeightsView : public FigureView {
  Q_OBJECT
 public:
  explicit WeightsView(QWidget* parent = nullptr);
  void setData(const std::shared_ptr<const ComponentWeightsData>& content);
};

// AP over query position of a head, current (dashed) and after a change.
class WhatIfView : public FigureView {
  Q_OBJECT
 public:
  explicit WhatIfView(QWidget* parent = nullptr);
  void setData(const std::shared_ptr<const WhatIfData>& content);
};

// Models as points, a predictor against a score; the mouse or the arrow keys show a point's numbers.
class BenchmarkView : public FigureView {
  Q_OBJECT
 public:
  explicit BenchmarkView(QWidget* parent = nullptr);
  void setData(std::shared_ptr<const BenchmarkData> content);  // also removes a message

 protected:
  void paintOverlay(QPainter& painter) const override;
  bool overlayIsClipped() const override { return false; }
  void keyPressEvent(QKeyEvent* event) override;  // left and right move from point to point

 private:
  void walk(int step);

  std::shared_ptr<const BenchmarkData> m_data;
  std::optional<std::size_t> m_walked;  // point selected with the keys, framed
};

}  // namespace plastiscope
