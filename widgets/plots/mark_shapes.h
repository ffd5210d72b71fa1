#pragma once
// Marks of a box as shapes in layout units: what the painter draws, what LaTeX is written of, where the mouse
// finds an item. Primitives stay inside the box by themselves: Qt 6.4 writes no clip paths into SVG files.
#include <QFont>
#include <QImage>
#include <QPen>
#include <QPolygonF>
#include <QString>
#include <array>
#include <optional>
#include <vector>

#include "core/views/plot.h"
#include "widgets/plots/plot_style.h"

class QCPAxis;
class QCPAxisRect;
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
  QPointF at;       // of a marker's middle; of a text's top left
  double size = 0;  // of a marker
  QString text;     // rich
  QFont font;
  double angle = 0;  // of a text around `at`, degrees
  QImage picture;
  QRectF area;         // of a picture
  bool crisp = false;  // without soft edges on the screen
};
using Primitives = std::vector<Primitive>;

void paintShapes(QPainter& painter, const Primitives& shapes);

// A picture of very many lines as it was drawn last.
struct LinePicture {
  QImage image;
  const void* owner = nullptr;
  std::array<double, 5> place{};  // where they stand: origin, scale, dots per unit
  QRgb colour = 0;
};

// Where values of a box lie, and for what the shapes are made.
class BoxMap {
 public:
  BoxMap(const QCPAxisRect& rect, const PlotStyle& style, bool vector, double dots);
  double x(double value) const;
  double y(double value) const;
  QPointF at(double x, double y) const { return {this->x(x), this->y(y)}; }
  QRectF rect() const { return m_box; }
  const QCPAxisRect& axes() const { return *m_axes; }
  const PlotStyle& style() const { return *m_style; }
  bool vector() const { return m_vector; }  // a file rather than the screen
  double dots() const { return m_dots; }    // pixels of a layout unit, for pictures

 private:
  const QCPAxisRect* m_axes;
  const PlotStyle* m_style;
  QRectF m_box;
  bool m_vector;
  double m_dots;
};

// `lines`: kept between drawings; may be null.
Primitives shapesOf(const Mark& mark, const BoxMap& map, LinePicture* lines = nullptr);
// The symbol of a legend's entry in its place.
Primitives symbolShapes(const LegendSymbol& symbol, const QRectF& place, const PlotStyle& style);
Primitive markerShape(const MarkerStyle& style, QPointF at, double size, const PlotStyle& of);
Primitive textShape(const QString& rich, const QFont& font, const QColor& colour, QPointF topLeft,
                    double angle = 0);

// An item of a mark: a point, a vertex of a line, a bar, a cell.
struct ItemPlace {
  std::size_t item = 0;
  bool point = false;
  QPointF at;   // of points
  QRectF area;  // of others
};
std::vector<ItemPlace> itemPlaces(const Mark& mark, const BoxMap& map);
// The point nearest to a pixel within `reach`, or the bar or cell that holds it.
std::optional<ItemPlace> itemAt(const Mark& mark, const BoxMap& map, QPointF pixel, double reach);

const class ColourMap& colourMapOf(const std::string& name, const PlotStyle& style);

}  // namespace plastiscope
