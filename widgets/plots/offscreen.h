#pragma once
// A figure without a widget: the same builders paint into any painter.
#include <QSize>
#include <functional>

#include "widgets/plots/plot_style.h"

class QCustomPlot;
class QImage;
class QPaintDevice;

namespace plastiscope {

// Lays the figure out in `units` (layout units of the style) and paints it on `device`, `scale` device pixels
// a unit. Needs a QApplication; GUI thread.
void paintFigure(QPaintDevice& device, double scale, QSize units, const PlotStyle& style,
                 const std::function<void(QCustomPlot&, const PlotStyle&)>& build);

// The same as a widget paints it: whole pixels, own rasters (for benchmarks and thumbnails).
void paintFigureOnScreen(QImage& image, const PlotStyle& style,
                         const std::function<void(QCustomPlot&, const PlotStyle&)>& build);

}  // namespace plastiscope
