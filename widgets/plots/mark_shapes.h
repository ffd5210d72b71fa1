#pragma once
// Converts the marks of a box to shapes, and finds the item at a pixel. Shapes are clipped to the box here:
// Qt 6.4 writes no clip paths into SVG files.
#include <QLineF>
#include <QRectF>
#include <QSizeF>
#include <array>
#include <optional>
#include <vector>

#include "widgets/plots/primitives.h"

class QCPAxisRect;

namespace plastiscope {

// Cached image of a large number of lines.
struct LinePicture {
  QImage image;
  const void* owner = nullptr;
  std::array<double, 5> place{};  // coordinates: origin, scale, dots per unit
  QRgb colour = 0;
};

// Maps values of a box to pixels, and holds the drawing parameters.
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
  double dots() const { return m_dots; }    // pixels per layout unit, for images

 private:
  const QCPAxisRect* m_axes;
  const PlotStyle* m_style;
  QRectF m_box;
  bool m_vector;
  double m_dots;
};

// The entry for item i in a list with one entry for all or one for each.
template <typename Item>
const Item& oneOf(const std::vector<Item>& all, std::size_t i) {
  return all.size() == 1 ? all.front() : all[i];
}

// `lines`: kept between drawings; may be null.
Primitives shapesOf(const Mark& mark, const BoxMap& map, LinePicture* lines = nullptr);
Primitives barShapes(const BarMarks& marks, const BoxMap& map, bool clip);
Primitives cellShapes(const CellMarks& marks, const BoxMap& map, bool clip);
Primitives labelShapes(const LabelMarks& marks, const BoxMap& map);
Primitives endNameShapes(const TextMarks& marks, const BoxMap& map);
Primitives excerptShapes(const ExcerptMark& mark, const BoxMap& map);

// --- Names beside points: clear of points, each other and everything drawn already

struct LabelRoom {
  QRectF bounds;               // labels stay inside
  double pointRadius = 4;      // of every point
  std::vector<QRectF> taken;   // areas drawn already
  std::optional<QLineF> line;  // preferably not crossed
};

// One rectangle per point, in order; empty where no free place is left.
std::vector<QRectF> placeLabels(const std::vector<QPointF>& points, const std::vector<QSizeF>& sizes,
                                const LabelRoom& room);

// The corner of `room` where a box of this size covers the fewest points. Ignores `taken`.
QRectF freestCorner(const LabelRoom& room, const QSizeF& size, double margin,
                    const std::vector<QPointF>& points);

// --- Colours of tokens wherever text is drawn

class TokenColours {
 public:
  TokenColours(QueryOrKey kind, Theme theme) : m_map(kindColours(kind, theme)) {}
  // `share`: in the colour range; faint where the value is not the token's own. For the screen.
  QColor fill(double share, bool captured) const;
  // The same, opaque on a ground colour.
  QColor fillOn(const QColor& ground, double share, bool captured) const;

 private:
  const ColourMap& m_map;
};

// --- Items

// An item of a mark: a point, a vertex of a line, a bar, a cell.
struct ItemPlace {
  std::size_t item = 0;
  bool point = false;
  QPointF at;   // for points
  QRectF area;  // for other items
};
std::vector<ItemPlace> excerptPlaces(const ExcerptMark& mark, const BoxMap& map);
std::vector<ItemPlace> itemPlaces(const Mark& mark, const BoxMap& map);
// The nearest point within `radius` of a pixel, or the bar or cell that contains it.
std::optional<ItemPlace> itemAt(const Mark& mark, const BoxMap& map, QPointF pixel, double radius);

}  // namespace plastiscope
