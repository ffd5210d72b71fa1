#pragma once
// What a plot is put together of on QCustomPlot beside its marks: layers that paint themselves, axes in the
// style, titles, legends, equal panels. Private to widgets/plots.
#include <functional>
#include <vector>

#include "core/views/plot.h"
#include "widgets/plots/mark_shapes.h"
#include "widgets/plots/plot_style.h"
#include "widgets/plots/qcp.h"

namespace plastiscope {

// A custom layerable: paints itself with a function, cut at its axis rect or not.
class CustomLayer : public QCPLayerable {
 public:
  using Paint = std::function<void(QCPPainter&)>;
  // On a layer of the plot: "grid", "main", "axes", "marks" (above the data), "overlay" (moves by itself).
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

// An empty plot in the style: ground, layers, spacing. Removes everything that was there.
void clearPlot(QCustomPlot& plot, const PlotStyle& style);
// Is the painter's target a file rather than the screen?
bool isVector(const QCPPainter& painter);

void styleAxis(QCPAxis& axis, const PlotStyle& style);
// Draws a title at the outer edge of the rect; the axis keeps room for it.
void titleAxis(QCPAxis& axis, const QString& richTitle, const PlotStyle& style);
QString titleOf(const QCPAxis& axis);  // as given

// A legend: in as many lines as it needs in a share of the plot's width, or in one line above a box, aligned
// with it, where entries that do not fit are left out from the end.
class LegendElement : public QCPLayoutElement {
 public:
  LegendElement(QCustomPlot& plot, const PlotStyle& style, std::vector<LegendEntry> entries, double share,
                QCPAxisRect* oneLineAbove);
  QSize minimumOuterSizeHint() const override { return {1, height()}; }
  QSize maximumOuterSizeHint() const override { return {QWIDGETSIZE_MAX, height()}; }
  // As high as the highest of these, it among them: what stands below them begins on one line.
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
  // Where the panel is narrower than an entry: without its detail, smaller, its middle cut out.
  Primitive narrowText(const LegendEntry& entry, QPointF at) const;
  double rightEnd() const;  // of its share of the plot

  PlotStyle m_style;
  std::vector<LegendEntry> m_entries;
  std::vector<QString> m_texts;
  std::vector<double> m_widths, m_briefWidths;  // with and without the details
  double m_share;
  QCPAxisRect* m_above;
  std::vector<LegendElement*> m_row;
};

// A grid whose panels' first boxes are equally large, whatever stands beside them; where panels are `unlike`,
// the panels themselves are.
class EqualPanels : public QCPLayoutGrid {
 public:
  // `heights`: of the boxes of each row, in proportion; none: equal ones.
  EqualPanels(bool unlike, std::vector<double> heights) : m_unlike(unlike), m_heights(std::move(heights)) {}
  QCPLayoutGrid& addPanel(int row, int column);

 protected:
  void updateLayout() override;

 private:
  bool m_unlike;
  std::vector<double> m_heights;
};

// The axis rects of a part of a plot, in their order.
std::vector<QCPAxisRect*> boxesOf(const QCPLayoutGrid& part);

}  // namespace plastiscope
