#pragma once
// Renders plots (core/views/plot.h) on QCustomPlot: layout, axes and legends in the style, marks as shapes.
// For widgets, files, and writers of other formats.
#include <QImage>
#include <QPaintDevice>
#include <QSize>
#include <functional>
#include <memory>
#include <vector>

#include "core/views/plot.h"
#include "widgets/plots/mark_shapes.h"
#include "widgets/plots/plot_style.h"

class QCPAxisRect;
class QCPPainter;
class QCustomPlot;

namespace plastiscope {

class LegendElement;

struct RenderOptions {
  // Replaces the painting of a plane's rows, for example with a widget's cached image.
  std::function<void(QCPPainter&, const QCPAxisRect&)> cloud = {};
  std::shared_ptr<LinePicture> lines = {};  // cached between plots; may be null
};

// A box of the plot and its colour bar after layout.
struct RenderedBox {
  QCPAxisRect* rect = nullptr;
  const Box* box = nullptr;
};
struct RenderedScale {
  QCPAxisRect* rect = nullptr;
  std::string colours;
};

// Content of a QCustomPlot: valid until the next rendering.
struct RenderedPlot {
  std::shared_ptr<const Plot> plot;
  std::vector<RenderedBox> boxes;  // in the order of Plot::allBoxes()
  std::vector<RenderedScale> scales;
  std::vector<const LegendElement*> legends;
};
// Clears the QCustomPlot and renders the plot into it.
RenderedPlot renderPlot(QCustomPlot& target, std::shared_ptr<const Plot> plot, const PlotStyle& style,
                        const RenderOptions& options = {});

// Lays out in `units` and paints as vectors, for files. `scale`: device pixels per unit. GUI thread.
void paintPlot(QPaintDevice& device, double scale, QSize units, const PlotStyle& style, const Plot& plot);

// --- For other formats ----------------------------------------------------------------------------------

struct LaidOutAxis {
  bool line = false, ticked = false, labelled = false, grid = false;
  double low = 0, high = 1;
  bool reversed = false;
  std::vector<double> ticks;
  std::vector<QString> labels;  // [ticks]
  double slant = 0;             // slant of the labels, degrees
  QString title;                // rich text fitted to the space; "" = none
  double titleDistance = 0;     // from the box to the outer edge of the title
};

// Tool tip of an item and its place.
struct ItemTip {
  ItemPlace place;
  QString text;  // rich
};

struct LaidOutPanel {
  QRectF box;
  LaidOutAxis left, bottom, right, top;
  Primitives shapes;  // marks, bottom first
  std::vector<ItemTip> tips;
};

// Laid-out plot in layout units (twentieths of a point in print) from the top left.
struct LaidOutPlot {
  QSize units;
  std::vector<LaidOutPanel> panels;
  Primitives legends;
};
LaidOutPlot layOutPlot(QSize units, const PlotStyle& style, const Plot& plot);

}  // namespace plastiscope
