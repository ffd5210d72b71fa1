#pragma once
// Base class of plot widgets: the plot, theme, messages instead of a plot, reset, tool tips.
#include <QPointF>
#include <QRectF>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/capture/head_list.h"
#include "core/views/plot.h"
#include "widgets/plots/plot_renderer.h"
#include "widgets/plots/plot_style.h"
#include "widgets/state/locked_ranges.h"

class QCustomPlot;
class QMenu;
class QPainter;

namespace plastiscope {

class EmptyState;
class SlicedWork;

// Item under the pointer.
struct PlotItem {
  const Box* box = nullptr;
  const Mark* mark = nullptr;
  std::size_t item = 0;
  std::int64_t id() const {
    return item < mark->ids.size() ? mark->ids[item] : static_cast<std::int64_t>(item);
  }
};

class PlotView : public QWidget {
  Q_OBJECT
 public:
  explicit PlotView(QWidget* parent = nullptr);

  // Shows a sentence instead of the plot, for empty, loading and failed states; "" shows the plot again, as
  // does setData.
  void setMessage(const QString& sentence);
  QString message() const;
  // Nullopt = follow the widget's palette (default).
  void setTheme(std::optional<Theme> theme);
  const PlotStyle& plotStyle() const { return m_style; }
  // Zooms to a range; nullopt = the whole plot. Emits nothing; kept when the plot is redrawn.
  void setZoom(const std::optional<ViewRange>& range);
  // The visible range; nullopt while there is no plot or it cannot be zoomed.
  std::optional<ViewRange> shownRange() const;
  // The plot shown last; null before the first.
  std::shared_ptr<const Plot> shownPlot() const { return m_rendered.plot; }
  QSize sizeHint() const override { return {420, 340}; }
  QSize minimumSizeHint() const override { return {160, 80}; }

 Q_SIGNALS:
  // Sent when the user zooms or pans; nullopt = back to the whole plot.
  void zoomed(const std::optional<plastiscope::ViewRange>& range);
  void menuOpens(QMenu* menu);  // with the view's actions, before it is shown

 public Q_SLOTS:
  // Resets zoom and pan. Also on double click and in the context menu, which has the view's actions.
  void resetView();

 protected:
  // The plot to show; nullopt while there is none.
  virtual std::optional<Plot> makePlot() const = 0;
  // Paints selection, hover and cursor over the first box, or outside it if overlayIsClipped() is false.
  virtual void paintOverlay(QPainter& /*painter*/) const {}
  virtual bool overlayIsClipped() const { return true; }
  // The whole range of the first panel, for plots in which it can be zoomed and panned.
  virtual std::optional<ViewRange> wholeRange() const { return {}; }
  // Keys that must be held to zoom and pan with wheel and drag.
  virtual Qt::KeyboardModifiers zoomKeys() const { return Qt::NoModifier; }
  // By default shows the tip of the mark under the pointer. Also called when the pointer leaves the boxes.
  virtual void hovered(const QPointF& position, const QPoint& global);
  virtual void clicked(const QPointF& /*position*/) {}
  // Called before a context menu opens, with its position.
  virtual void menuAsked(const QPointF& /*position*/) {}
  // Returns true if the view handles this drag with the left button instead of the plot.
  virtual bool dragBegins(const QPointF& /*position*/, Qt::KeyboardModifiers /*keys*/) { return false; }
  virtual void dragMoves(const QPointF& /*position*/) {}
  virtual void dragEnds() {}
  // Called when the panels have their sizes; an override may change ranges before they are drawn and returns
  // true if it did.
  virtual bool laidOut() { return false; }

  RenderOptions& renderOptions() { return m_options; }  // for all plots of the view
  QCustomPlot& plot() const { return *m_canvas; }
  const std::vector<RenderedBox>& boxes() const { return m_rendered.boxes; }  // none while there is no plot
  QPointF pixelOf(double x, double y) const;                                  // pixels in the first box
  std::optional<PlotItem> itemAt(const QPointF& position) const;              // item with a tip
  const LegendEntry* legendEntryAt(const QPointF& position) const;            // null: none
  void replotOverlay();                                                       // selection, hover, cursor
  void rebuild();  // calls makePlot(), redraws when the event loop is idle
  void showTip(const QString& richText, const QPoint& global);
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void showRange(const ViewRange& range);
  void tellZoom();
  void layOutAgain();
  void settle();
  void paintLine(QCPPainter& painter, const RenderedBox& box) const;

  QCustomPlot* m_canvas;
  EmptyState* m_message;
  SlicedWork* m_slices = nullptr;  // queue in which it is drawn
  RenderOptions m_options;
  RenderedPlot m_rendered;
  std::optional<Theme> m_theme;
  PlotStyle m_style;
  bool m_stale = true;
  bool m_undrawn = false;  // must be redrawn because of new content or a new size
  QPointF m_pressed;
  bool m_clickPossible = false, m_ownDrag = false;
  QList<QSize> m_panelSizes;
  std::optional<ViewRange> m_zoom;
  const Mark* m_line = nullptr;  // line of a series under the pointer, drawn broader
};

// Rectangle drawn with the mouse, which selects several heads.
class DrawnRectangle {
 public:
  void begin(const QPointF& at) { m_from = m_to = at; }
  void moveTo(const QPointF& at) { m_to = at; }
  // Nullopt where no rectangle was begun, or where it is no larger than a click.
  std::optional<QRectF> end();
  void paint(QPainter& painter, const PlotStyle& style) const;  // nothing while none is drawn

 private:
  std::optional<QPointF> m_from;
  QPointF m_to;
};

// Selection after a click with Ctrl on `heads`: adds or removes each. `several`: the selection before, empty
// if only `head` is selected.
std::vector<HeadName> toggled(const std::vector<HeadName>& several, HeadName head,
                              const std::vector<HeadName>& heads);

}  // namespace plastiscope
Q_DECLARE_METATYPE(plastiscope::HeadName)
