#pragma once
// Views that show a plot with tool tips: of any data, of heads as points, of benchmarks.
#include <functional>
#include <optional>
#include <set>
#include <vector>

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
  std::optional<QPointF> placeAt(const QPointF& position) const;  // on the axes of the first box

 private:
  std::optional<Plot> m_plot;
  std::optional<double> m_cursor;
  std::set<std::string> m_hidden;
  Qt::KeyboardModifiers m_zoomKeys = Qt::NoModifier;
  bool m_isPart = false;  // drawn as part: nothing outside its box
};

// Attention map: zoomed with the wheel, moved by dragging; a click chooses a query.
class AttentionMapView : public FigureView {
  Q_OBJECT
 public:
  explicit AttentionMapView(QWidget* parent = nullptr);
  void setMap(Plot plot, std::int64_t tokens);       // plot of any part of a text of that many tokens
  void setQuery(std::optional<std::int64_t> query);  // marked; nullopt = none
  void setTip(std::function<QString(qint64 query, qint64 key)> tip) { m_tip = std::move(tip); }  // rich
  std::optional<ViewRange> wholeRange() const override;
  QSize boxSize() const;  // pixels of the map

 protected:
  void paintOverlay(QPainter& painter) const override;
  void hovered(const QPointF& position, const QPoint& global) override;

 private:
  std::int64_t m_tokens = 0;
  std::optional<std::int64_t> m_query;
  std::function<QString(qint64, qint64)> m_tip;
};

// Heads as points: a click selects one, a rectangle drawn with the mouse several; selected points are drawn
// above the others.
class HeadPointsView : public FigureView {
  Q_OBJECT
 public:
  using FigureView::FigureView;
  // The ids of the plot's points are indices into `heads`.
  void setHeads(Plot plot, std::vector<HeadName> heads, Values x, Values y);
  void setHeads(const TaxonomyData& taxonomy);  // r_q against r_k on PC0, with the class borders
  void setSelectedHead(std::optional<HeadName> head);
  void setSeveral(std::vector<HeadName> heads);         // ascending
  void setGroups(HeadGroups groups);                    // ringed in their colours, named in the legend
  std::optional<QPointF> placeOf(HeadName head) const;  // pixels of the plot

 Q_SIGNALS:
  void headActivated(plastiscope::HeadName head);
  void headHovered(plastiscope::HeadName head);
  void severalSelected(const std::vector<plastiscope::HeadName>& heads);

 protected:
  std::optional<Plot> makePlot() const override;
  void paintOverlay(QPainter& painter) const override;
  void hovered(const QPointF& position, const QPoint& global) override;
  void clicked(const QPointF& position) override;
  void menuAsked(const QPointF& position) override;
  bool dragBegins(const QPointF& position, Qt::KeyboardModifiers keys) override;
  void dragMoves(const QPointF& position) override;
  void dragEnds() override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void activate(HeadName head);
  std::optional<HeadName> headAt(const QPointF& position) const;

  std::vector<HeadName> m_heads, m_several;
  HeadGroups m_groups;
  Values m_x, m_y;
  std::optional<HeadName> m_selected;
  DrawnRectangle m_rectangle;
  bool m_adding = false;
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
