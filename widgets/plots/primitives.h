#pragma once
// Drawing primitives in layout units, for the painter and the LaTeX writer, and lines of text with markup.
#include <QFont>
#include <QImage>
#include <QPen>
#include <QPointF>
#include <QPolygonF>
#include <QSizeF>
#include <QString>
#include <vector>

#include "core/views/plot.h"
#include "widgets/plots/plot_style.h"

class QPainter;

namespace plastiscope {

// One line of text with <sub>, <sup>, <i>, <b>, as vectors: titles and legend entries as r<sub>Q</sub>.
class RichText {
 public:
  // Unknown tags are shown literally; &lt; &gt; &amp; are decoded.
  RichText(const QString& markup, const QFont& font);
  QSizeF size() const { return {m_width, m_height}; }
  double ascent() const { return m_ascent; }  // from the top to the baseline
  // Uses the painter's pen; `topLeft` of the line box.
  void draw(QPainter& painter, QPointF topLeft) const;

  // Fits a text: the first of "long title|short title" that fits; then trailing " · parts" are left out; then
  // the font shrinks to at least 55 %.
  static RichText fitted(const QString& markup, const QFont& font, double width);
  // The markup that remains before the font shrinks.
  static QString fittedMarkup(const QString& markup, const QFont& font, double width);

 private:
  struct Run {
    QString text;
    QFont font;
    double x = 0, rise = 0;  // from the start of the line; above the baseline
  };
  std::vector<Run> m_runs;
  double m_width = 0, m_height = 0, m_ascent = 0;
};

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
