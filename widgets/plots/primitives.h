#pragma once
// Drawing primitives in layout units, for the painter and the LaTeX writer.
#include <QFont>
#include <QImage>
#include <QPen>
#include <QPolygonF>
#include <QString>
#include <vector>

#include "core/views/plot.h"
#include "widgets/plots/plot_style.h"

class QPainter;

namespace plastiscope {

struct Primitive {
  enum class Kind { Path, Marker, Text, Picture };
  Kind kind = Kind::Path;
  QPolygonF points;  // Path
  bool closed = false;
  QPen pen = QPen(Qt::NoPen);
  QColor fill;  // invalid = none
  Marker marker = Marker::Circle;
  QPointF at;       // centre of a marker; top left of a text
  double size = 0;  // size of a marker
  QString text;     // rich
  QFont font;
  double angle = 0;  // rotation of a text around `at`, degrees
  QImage picture;
  QRectF area;         // area of an image
  bool crisp = false;  // without antialiasing on the screen
};
using Primitives = std::vector<Primitive>;

void paintShapes(QPainter& painter, const Primitives& shapes);

Primitive pathShape(QPolygonF points, const QPen& pen);
Primitive areaShape(QPolygonF points, const QColor& fill, const QPen& pen = QPen(Qt::NoPen));
Primitive rectShape(const QRectF& rect, const QColor& fill, const QPen& pen = QPen(Qt::NoPen));
Primitive discShape(QPointF middle, double size, const QColor& fill, const QPen& pen = QPen(Qt::NoPen));
Primitive markerShape(const MarkerStyle& style, QPointF at, double size, const PlotStyle& of);
Primitive pictureShape(const QImage& picture, const QRectF& area);
Primitive textShape(const QString& rich, const QFont& font, const QColor& colour, QPointF topLeft,
                    double angle = 0);
Primitive centredText(const QString& rich, const QFont& font, const QColor& colour, QPointF middle);

QColor inkOn(const QColor& fill);  // black or white, whichever is readable on `fill`
// Diagonal lines with one phase for the whole plot, so that adjacent areas join.
void addHatch(Primitives& shapes, const QRectF& rect, double spacing, const QPen& pen);

// Shapes of a legend symbol.
Primitives symbolShapes(const LegendSymbol& symbol, const QRectF& place, const PlotStyle& style);

}  // namespace plastiscope
