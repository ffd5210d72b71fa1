#pragma once
// The one renderer of plots (core/views/plot.h) on QCustomPlot: layout, axes and legends in the style, marks
// as shapes. For widgets, files, and writers of formats that draw by themselves.
#include <QImage>
#include <QPaintDevice>
#include <QSize>
#include <functional>
#include <memory>
#include <optional>
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
  // How the rows of a plane are painted instead, such as a widget's kept picture.
  std::function<void(QCPPainter&, const QCPAxisRect&)> cloud = {};
  std::shared_ptr<LinePicture> lines = {};  // kept between plots; may be null
};

// A box of the plot, and a colour bar, in their places.
struct RenderedBox {
  QCPAxisRect* rect = nullptr;
  const Box* box = nullptr;
};
struct RenderedScale {
  QCPAxisRect* rect = nullptr;
  std::string colours;
};

// What stands in a QCustomPlot: valid until that is filled again.
struct RenderedPlot {
  std::shared_ptr<const Plot> plot;
  std::vector<RenderedBox> boxes;  // in the order of Plot::allBoxes()
  std::vector<RenderedScale> scales;
  std::vector<const LegendElement*> legends;
};
// Empties the QCustomPlot and fills it anew.
RenderedPlot renderPlot(QCustomPlot& target, std::shared_ptr<const Plot> plot, const PlotStyle& style,
                        const RenderOptions& options = {});

// Lays out in `units` and paints as a file shows it: vectors. `scale`: of the device's pixels to a unit. GUI
// thread.
void paintPlot(QPaintDevice& device, double scale, QSize units, const PlotStyle& style, const Plot& plot);

// --- For other formats ----------------------------------------------------------------------------------

struct LaidOutAxis {
  bool line = false, ticked = false, labelled = false, grid = false;
  double low = 0, high = 1;
  bool reversed = false;
  std::vector<double> ticks;
  std::vector<QString> labels;  // [ticks]
  double slant = 0;             // of the labels, degrees
  QString title;                // rich text as it fits; "" = none
  double titleDistance = 0;     // from the box to the outer edge of the title
};

// What an item says, and where the pointer finds it.
struct ItemTip {
  ItemPlace place;
  QString text;  // rich
};

struct LaidOutPanel {
  QRectF box;
  LaidOutAxis left, bottom, right, top;
  Primitives shapes;  // of the marks, from below
  std::vector<ItemTip> tips;
};

// A plot in layout units (twentieths of a point in print) from the top left.
struct LaidOutPlot {
  QSize units;
  std::vector<LaidOutPanel> panels;
  Primitives legends;
};
LaidOutPlot layOutPlot(QSize units, const PlotStyle& style, const Plot& plot);

}  // namespace plastiscope
