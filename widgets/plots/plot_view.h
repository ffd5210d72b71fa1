#pragma once
// What all plot widgets share: the plot, the theme, the designed states, reset, hover tips.
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

// What the pointer is on.
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

  // Empty, loading and failed states: the sentence instead of the plot; "" shows the plot again (setData does
  // too).
  void setMessage(const QString& sentence);
  QString message() const;
  // Nothing = follow the widget's palette (default).
  void setTheme(std::optional<Theme> theme);
  const PlotStyle& plotStyle() const;
  // Shows that part of a plot that can be zoomed; nothing = all of it. Emits nothing; stays when the plot is
  // drawn anew.
  void setZoom(const std::optional<ViewRange>& range);
  // What is seen now; nothing while there is no plot or it cannot be zoomed.
  std::optional<ViewRange> shownRange() const;
  // As shown last; null before.
  std::shared_ptr<const Plot> shownPlot() const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  // The person zoomed or panned; nothing = back to the whole plot.
  void zoomed(const std::optional<plastiscope::ViewRange>& range);
  void menuOpens(QMenu* menu);  // of its actions, before it is shown

 public Q_SLOTS:
  // Zoom and pan back to the whole picture. Also on double click and in the context menu,
  // which has the view's actions.
  void resetView();

 protected:
  // What the view shows; nothing while there is nothing to show.
  virtual std::optional<Plot> makePlot() const = 0;
  // Selection, hover, cursor: over the first box, or beside it where the view says so.
  virtual void paintOverlay(QPainter& /*painter*/) const {}
  virtual bool overlayIsClipped() const { return true; }
  // What the first panel shows as a whole, for plots whose first panel can be zoomed and panned.
  virtual std::optional<ViewRange> wholeRange() const { return {}; }
  // That must be held to zoom and pan with wheel and drag.
  virtual Qt::KeyboardModifiers zoomKeys() const { return Qt::NoModifier; }
  // By default the tip of the mark under the pointer. A pointer that leaves is outside of every box.
  virtual void hovered(const QPointF& position, const QPoint& global);
  virtual void clicked(const QPointF& /*position*/) {}
  // A menu is asked for with the mouse: what it will be about.
  virtual void menuAsked(const QPointF& /*position*/) {}
  // A drag with the left button is the view's own, not the plot's, when it says so at the start.
  virtual bool dragBegins(const QPointF& /*position*/, Qt::KeyboardModifiers /*keys*/) { return false; }
  virtual void dragMoves(const QPointF& /*position*/) {}
  virtual void dragEnds() {}
  // The panels have their sizes; an override may change ranges before they are drawn, and says whether it
  // did.
  virtual bool laidOut() { return false; }

  RenderOptions& renderOptions() const;  // of every plot that is shown
  QCustomPlot& plot() const;
  const std::vector<RenderedBox>& boxes() const;                    // none while there is no plot
  QPointF pixelOf(double x, double y) const;                        // of the first box
  std::optional<PlotItem> itemAt(const QPointF& position) const;    // that has something to say
  const LegendEntry* legendEntryAt(const QPointF& position) const;  // null: none
  void replotOverlay();                                             // selection, hover, cursor
  void rebuild();  // shows makePlot() anew, draws once the event loop is free
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
