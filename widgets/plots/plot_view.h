#pragma once
// What all plot widgets share: the plot, the theme, the designed states, reset, hover tips.
#include <QWidget>
#include <memory>
#include <optional>

#include "widgets/plots/plot_style.h"
#include "widgets/state/locked_ranges.h"

class QCustomPlot;
class QGridLayout;

namespace plastiscope {

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
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  // The person zoomed or panned; nothing = back to the whole plot.
  void zoomed(const std::optional<plastiscope::ViewRange>& range);

 public Q_SLOTS:
  // Zoom and pan back to the whole picture. Also on double click and in the context menu
  // (context menu policy: ActionsContextMenu; add own actions with addAction).
  void resetView();

 protected:
  // Fills the plot anew from the view's data and plotStyle().
  virtual void build(QCustomPlot& plot) = 0;
  // What the first panel shows as a whole, for plots whose first panel can be zoomed and panned.
  virtual std::optional<ViewRange> wholeRange() const { return {}; }
  virtual void hovered(const QPointF& /*position*/, const QPoint& /*global*/) {}
  virtual void hoverLeft() {}
  virtual void clicked(const QPointF& /*position*/) {}
  // A drag with the left button is the view's own, not the plot's, when it says so at the start.
  virtual bool dragBegins(const QPointF& /*position*/, Qt::KeyboardModifiers /*keys*/) { return false; }
  virtual void dragMoves(const QPointF& /*position*/) {}
  virtual void dragEnds() {}
  // The panels have their sizes; an override may change ranges before they are drawn, and says whether it
  // did.
  virtual bool laidOut() { return false; }

  QCustomPlot& plot() const;
  QGridLayout& grid() const;  // the plot stands at (0, 0): scroll bars go beside it
  void replotOverlay();       // selection, hover, cursor
  void rebuild();             // clears the plot, calls build(), draws once the event loop is free
  void showTip(const QString& richText, const QPoint& global);
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
