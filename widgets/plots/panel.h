#pragma once
// The common look of an axis rect: thin box, outside ticks, faint grid, axis titles with sub- and
// superscripts, legend above the box. Private to widgets/plots.
#include <QString>
#include <functional>
#include <vector>

#include "widgets/plots/figure_place.h"
#include "widgets/plots/painted_layer.h"
#include "widgets/plots/plot_style.h"
#include "widgets/plots/tickers.h"

namespace plastiscope {

enum class Frame { Box, LeftBottom };

struct PanelOptions {
  Frame frame = Frame::Box;
  bool gridX = true, gridY = true;
  QString xTitle, yTitle;   // rich text; "" = no room is kept
  QColor background;        // invalid = none
  QString lastXLabel = {};  // half of it may stand beyond the box
};

// A new axis rect at (row, column) of the plot's layout.
QCPAxisRect& addPanel(const FigurePlace& place, int row, int column, const PlotStyle& style,
                      const PanelOptions& options);
// Look of one more axis (a colour bar's).
void styleAxis(QCPAxis& axis, const PlotStyle& style);
// Draws a title at the outer edge of the rect; the axis keeps room for it.
void titleAxis(QCPAxis& axis, const QString& richTitle, const PlotStyle& style);
QString titleOf(const QCPAxis& axis);  // as given
void dropTitle(QCPAxis& axis);         // and its room

struct LegendEntry {
  QString text;              // rich; "" = symbol only
  double symbolWidth = 1.8;  // in heights of the type
  std::function<void(QCPPainter&, const QRectF&)> symbol;
  QString detail = {};  // behind the text, but not where panels share the entry
};

// One line above the box, aligned with it; entries that do not fit are left out from the end.
void addLegend(const FigurePlace& place, int row, int column, const PlotStyle& style, QCPAxisRect& below,
               std::vector<LegendEntry> entries);

// Legend symbols.
LegendEntry lineEntry(const QString& text, const QPen& pen);
LegendEntry pointEntry(const QString& text, const QColor& fill, const QPen& rim, double size);
LegendEntry linePointEntry(const QString& text, const QPen& pen, const QColor& fill, double size);
LegendEntry boxEntry(const QString& text, const QColor& fill, const QPen& rim);
LegendEntry rampEntry(const QString& text, const std::array<QColor, 4>& ramp);

// Where coordinates of the lower and the left axis stand, in units of the plot.
QPointF pointAt(const QCPAxisRect& rect, double x, double y);

// Slanted lines with one phase for the whole plot, so that neighbours join. As lines, not as a brush: a brush
// has the device's resolution.
void drawHatch(QCPPainter& painter, const QRectF& rect, double spacing, const QPen& pen);
// Lines cut at a rect by themselves: Qt 6.4 writes no clip paths into SVG files.
void drawLineWithin(QPainter& painter, const QRectF& rect, const QLineF& line);
void drawPolylineWithin(QPainter& painter, const QRectF& rect, const QPolygonF& polyline);
// A line under another one in the casing colour, so that it shows on everything.
QPen casedPen(const PlotStyle& style, const QPen& pen);
QPen pen(const QColor& color, double width, Qt::PenStyle pattern = Qt::SolidLine);
QPen dashedPen(const QColor& color, double width, double dash = 4, double space = 3);

}  // namespace plastiscope
