#include "widgets/plots/offscreen.h"

#include <QImage>

#include "core/base/error.h"
#include "widgets/plots/painted_layer.h"

namespace plastiscope {

namespace {

// Layout and painting of QCustomPlot are protected; margins settle in the second pass, when sizes are known.
class OffscreenPlot : public QCustomPlot {
 public:
  void paint(QCPPainter& painter, QSize size, const QColor& background) {
    setViewport(QRect(QPoint(0, 0), size));
    updateLayout();
    updateLayout();
    painter.fillRect(viewport(), background);
    draw(&painter);
  }
};

}  // namespace

void paintFigure(QPaintDevice& device, double scale, QSize units, const PlotStyle& style,
                 const std::function<void(QCustomPlot&, const PlotStyle&)>& build) {
  OffscreenPlot plot;
  build(plot, style);
  QCPPainter painter;
  if (!painter.begin(&device)) throw Error(ErrorKind::Internal, "the figure could not be painted");
  painter.scale(scale, scale);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::LosslessImageRendering);
  painter.setMode(QCPPainter::pmVectorized);
  painter.setMode(QCPPainter::pmNoCaching);
  plot.paint(painter, units, style.colours.view);
  painter.end();
}

void paintFigureOnScreen(QImage& image, const PlotStyle& style,
                         const std::function<void(QCustomPlot&, const PlotStyle&)>& build) {
  OffscreenPlot plot;
  build(plot, style);
  QCPPainter painter;
  if (!painter.begin(&image)) throw Error(ErrorKind::Internal, "the figure could not be painted");
  plot.paint(painter, image.size(), style.colours.view);
  painter.end();
}

}  // namespace plastiscope
