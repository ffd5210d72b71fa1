#pragma once
// Base class of plot widgets: the plot, theme, messages instead of a plot, reset, tool tips.
#include <QWidget>
#include <memory>
#include <optional>

#include "core/capture/head_list.h"
#include "core/views/plot.h"
#include "widgets/plots/plot_renderer.h"
#include "widgets/plots/plot_style.h"
#include "widgets/state/locked_ranges.h"

class QCustomPlot;
class QMenu;
class QPainter;

namespace plastiscope {

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
  ~PlotView() override;

  // Shows a sentence instead of the plot, for empty, loading and failed states; "" shows the plot again, as
  // does setData.
  void setMessage(const QString& sentence);
  QString message() const;
  // Nullopt = follow the widget's palette (default).
  void setTheme(std::optional<Theme> theme);
  const PlotStyle& plotStyle() const;
  // Zooms to a range; nullopt = the whole plot. Emits nothing; kept when the plot is redrawn.
  void setZoom(const std::optional<ViewRange>& range);
  // The visible range; nullopt while there is no plot or it cannot be zoomed.
  std::optional<ViewRange> shownRange() const;
  // The plot shown last; null before the first.
  std::shared_ptr<const Plot> shownPlot() const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

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

  RenderOptions& renderOptions() const;  // for all plots of the view
  QCustomPlot& plot() const;
  const std::vector<RenderedBox>& boxes() const;                    // none while there is no plot
  QPointF pixelOf(double x, double y) const;                        // pixels in the first box
  std::optional<PlotItem> itemAt(const QPointF& position) const;    // item with a tip
  const LegendEntry* legendEntryAt(const QPointF& position) const;  // null: none
  void replotOverlay();                                             // selection, hover, cursor
  void rebuild();  // calls makePlot(), redraws when the event loop is idle
  void showTip(const QString& richText, const QPoint& global);
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void showRange(const ViewRange& range);
  void tellZoom();

  struct Private;
  std::unique_ptr<Private> d;
};

}  // namespace plastiscope
Q_DECLARE_METATYPE(plastiscope::HeadName)
