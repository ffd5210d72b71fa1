#include "widgets/plots/recorded_figure.h"

#include "core/base/error.h"
#include "widgets/plots/mark_recorder.h"
#include "widgets/plots/painted_layer.h"
#include "widgets/plots/panel.h"
#include "widgets/plots/rich_text.h"

namespace plastiscope {

namespace {

// Layout and painting of QCustomPlot are protected.
class TakenApart : public QCustomPlot {
 public:
  void layOut(QSize size) {
    setViewport(QRect(QPoint(0, 0), size));
    updateLayout();
    updateLayout();  // margins settle in the second pass
    m_settled = true;
  }
  void paint(QCPPainter& painter) { draw(&painter); }

 protected:
  // Axes that are taken away leave their room.
  void updateLayout() override {
    if (!m_settled) QCustomPlot::updateLayout();
  }

 private:
  bool m_settled = false;
};

// Distance of the title's outer edge from the box.
double roomOf(const QCPAxis& axis) {
  const QRectF box = axis.axisRect()->rect(), outer = axis.axisRect()->outerRect();
  switch (axis.axisType()) {
    case QCPAxis::atLeft:
      return box.left() - outer.left();
    case QCPAxis::atRight:
      return outer.right() - box.right();
    case QCPAxis::atTop:
      return box.top() - outer.top();
    case QCPAxis::atBottom:
      return outer.bottom() - box.bottom();
  }
  return 0;
}

// Hands the axis over: it is not painted any more.
RecordedAxis take(QCPAxis& axis, const PlotStyle& style) {
  RecordedAxis taken;
  taken.low = axis.range().lower;
  taken.high = axis.range().upper;
  taken.reversed = axis.rangeReversed();
  taken.rotation = axis.tickLabelRotation();
  taken.grid = axis.grid()->visible();
  taken.line = axis.visible() && axis.basePen().style() != Qt::NoPen;
  if (axis.visible()) {
    taken.ticked = axis.ticks() && axis.tickLengthOut() > 0;
    taken.labelled = axis.tickLabels();
    const QVector<double> ticks = axis.tickVector();
    const QVector<QString> labels = axis.tickVectorLabels();
    for (qsizetype i = 0; (taken.ticked || taken.labelled) && i < ticks.size(); ++i) {
      if (!axis.range().contains(ticks[i])) continue;
      taken.ticks.push_back(ticks[i]);
      taken.labels.push_back(i < labels.size() ? labels[i] : QString());
    }
    if (const QString title = titleOf(axis); !title.isEmpty()) {
      const QRect outer = axis.axisRect()->outerRect();
      const double length = axis.orientation() == Qt::Horizontal ? outer.width() : outer.height();
      taken.title = RichText::fittedMarkup(title, style.label, length);
      taken.titleRoom = roomOf(axis);
    }
  }
  axis.setVisible(false);
  axis.grid()->setVisible(false);
  dropTitle(axis);
  return taken;
}

}  // namespace

RecordedFigure recordFigure(QSize units, const PlotStyle& style,
                            const std::function<void(QCustomPlot&, const PlotStyle&)>& build) {
  TakenApart plot;
  build(plot, style);
  plot.layOut(units);
  RecordedFigure figure;
  figure.units = units;
  const QList<QCPAxisRect*> rects = plot.axisRects();
  for (QCPAxisRect* rect : rects) {
    RecordedPanel panel;
    panel.box = rect->rect();
    panel.left = take(*rect->axis(QCPAxis::atLeft), style);
    panel.bottom = take(*rect->axis(QCPAxis::atBottom), style);
    panel.right = take(*rect->axis(QCPAxis::atRight), style);
    panel.top = take(*rect->axis(QCPAxis::atTop), style);
    figure.panels.push_back(std::move(panel));
  }
  RecordingDevice device(figure);
  QCPPainter painter;
  if (!painter.begin(&device)) throw Error(ErrorKind::Internal, "the figure could not be taken apart");
  painter.setMode(QCPPainter::pmVectorized);
  painter.setMode(QCPPainter::pmNoCaching);
  plot.paint(painter);
  painter.end();
  return figure;
}

}  // namespace plastiscope
