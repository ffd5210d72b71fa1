#pragma once
// Elements of a plot on QCustomPlot other than marks: custom layers, axes in the style, titles, ticks,
// legends, equal panels. Private to widgets/plots.
#include <functional>
#include <vector>

#include "core/views/plot.h"
#include "widgets/plots/mark_shapes.h"
#include "widgets/plots/plot_style.h"
#include "widgets/plots/qcp.h"

namespace plastiscope {

// Custom layerable: paints itself with a function, optionally clipped to its axis rect.
class CustomLayer : public QCPLayerable {
 public:
  using Paint = std::function<void(QCPPainter&)>;
  // On a layer of the plot: "grid", "main", "axes", "marks" (above the data), "overlay" (redrawn separately).
  CustomLayer(QCPAxisRect& rect, const QString& layer, bool clip, Paint paint);

 protected:
  QRect clipRect() const override;
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
  void draw(QCPPainter* painter) override { m_paint(*painter); }

 private:
  QCPAxisRect* m_rect;
  bool m_clip;
  Paint m_paint;
};

// Clears the plot and sets ground, layers and spacing of the style.
void clearPlot(QCustomPlot& plot, const PlotStyle& style);
// True if the painter's target is a file, not the screen.
bool isVector(const QCPPainter& painter);

void styleAxis(QCPAxis& axis, const PlotStyle& style);
// Draws a title at the outer edge of the rect; the axis reserves space for it.
void titleAxis(QCPAxis& axis, const QString& richTitle, const PlotStyle& style);
QString titleOf(const QCPAxis& axis);  // as set

// Ticker for an axis of a plot: real minus signs, thousands commas, as many labels as fit. `on` must outlive
// it, here and below.
QSharedPointer<QCPAxisTicker> tickerOf(const Axis& axis, const QCPAxis& on);
// Decimal steps of the labels: values divided by `scale` (axis title: "x 10^-3"; shares of a whole).
QSharedPointer<QCPAxisTicker> numberTicker(const QCPAxis& on, double scale);

// Legend: in as many lines as needed within a share of the plot's width, or on one line above a box, aligned
// with it, where entries that do not fit are left out from the end.
class LegendElement : public QCPLayoutElement {
 public:
  LegendElement(QCustomPlot& plot, const PlotStyle& style, std::vector<LegendEntry> entries, double share,
                QCPAxisRect* oneLineAbove);
  QSize minimumOuterSizeHint() const override { return {1, height()}; }
  QSize maximumOuterSizeHint() const override { return {QWIDGETSIZE_MAX, height()}; }
  // Takes the height of the highest of these, itself included, so that what is below them is aligned.
  void alignWith(std::vector<LegendElement*> row) { m_row = std::move(row); }
  Primitives shapes() const;
  const LegendEntry* entryAt(QPointF place) const;  // null: none

 protected:
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(true); }
  void draw(QCPPainter* painter) override;

 private:
  struct Placed {
    std::size_t entry;
    QPointF at;
  };
  std::vector<Placed> placed() const;
  std::vector<std::size_t> lineStarts(const std::vector<double>& widths) const;
  double heightOf(std::size_t lines) const;
  bool isBrief() const;  // on a low screen: without the details of entries
  const std::vector<double>& widths() const { return isBrief() ? m_briefWidths : m_widths; }
  int height() const;
  int ownHeight() const;
  double em() const { return m_style.tick.pixelSize(); }
  double symbolWidth(const LegendEntry& entry) const;  // with the gap between symbol and text
  // For a panel narrower than an entry: without its detail, smaller, its middle elided.
  Primitive narrowText(const LegendEntry& entry, QPointF at) const;
  double rightEnd() const;  // right end of its share of the plot

  PlotStyle m_style;
  std::vector<LegendEntry> m_entries;
  std::vector<QString> m_texts;
  std::vector<double> m_widths, m_briefWidths;  // with and without the details
  double m_share;
  QCPAxisRect* m_above;
  std::vector<LegendElement*> m_row;
};

// Grid of panels whose first boxes are equally large, independent of labels around them; with `unlike`, the
// panels are equally large instead.
class EqualPanels : public QCPLayoutGrid {
 public:
  // `heights`: relative heights of the boxes in each row; empty: equal.
  EqualPanels(bool unlike, std::vector<double> heights) : m_unlike(unlike), m_heights(std::move(heights)) {}
  QCPLayoutGrid& addPanel(int row, int column);

 protected:
  void updateLayout() override;

 private:
  bool m_unlike;
  std::vector<double> m_heights;
};

// Panels at free places.
class FreePanels : public QCPLayoutInset {
 public:
  explicit FreePanels(std::vector<PanelPlace> places) : m_places(std::move(places)) {}
  QCPLayoutGrid& addPanel();  // at the next place

 protected:
  void updateLayout() override;

 private:
  std::vector<PanelPlace> m_places;
};

// The axis rects of a part of a plot, in their order.
std::vector<QCPAxisRect*> boxesOf(const QCPLayoutGrid& part);

}  // namespace plastiscope
