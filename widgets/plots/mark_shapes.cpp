#include "widgets/plots/mark_shapes.h"

#include <algorithm>
#include <cmath>

#include "core/figures/figures.h"
#include "widgets/plots/qcp.h"
#include "widgets/plots/rasters.h"
#include "widgets/plots/scatter_layer.h"

namespace plastiscope {

namespace {

constexpr std::size_t kVectorSegmentLimit = 60000;  // above it many lines become an image, in files too

QString utf8(const std::string& bytes) {
  return QString::fromStdString(bytes);
}

// The part of a line inside a rect (Liang-Barsky).
std::optional<QLineF> within(const QLineF& line, const QRectF& rect) {
  const double dx = line.dx(), dy = line.dy();
  double enter = 0, leave = 1;
  const std::pair<double, double> sides[] = {{-dx, line.x1() - rect.left()},
                                             {dx, rect.right() - line.x1()},
                                             {-dy, line.y1() - rect.top()},
                                             {dy, rect.bottom() - line.y1()}};
  for (const auto& [speed, distance] : sides) {
    if (speed == 0 && distance < 0) return std::nullopt;
    if (speed < 0) enter = std::max(enter, distance / speed);
    if (speed > 0) leave = std::min(leave, distance / speed);
  }
  if (!(enter < leave)) return std::nullopt;
  return QLineF(line.pointAt(enter), line.pointAt(leave));
}

// Converts each kind of mark to shapes.
class MarkShapes {
 public:
  MarkShapes(const Mark& mark, const BoxMap& map, LinePicture* lines)
      : m_mark(mark), m_map(map), m_style(map.style()), m_lines(lines) {}
  Primitives take() { return std::move(m_shapes); }

  void operator()(const PointMarks& marks) {
    double size = marks.style.size * m_style.pointSize;
    if (marks.slots > 0) size = std::min(size, 0.75 * m_map.rect().width() / marks.slots);
    MarkerStyle style = marks.style;
    for (std::size_t i = 0; i < marks.x.size(); ++i) {
      if (!marks.shade.empty()) style.colour = shadeOf(marks, i);
      addMarker(m_map.at(marks.x[i], marks.y[i]), style, size);
    }
  }

  void operator()(const LineMark& mark) {
    std::vector<QPolygonF> pieces(1);
    for (std::size_t i = 0; i < std::min(mark.x.size(), mark.y.size()); ++i) {
      if (std::isfinite(mark.y[i]))
        pieces.back().append(m_map.at(mark.x[i], mark.y[i]));
      else if (!pieces.back().isEmpty())
        pieces.emplace_back();
    }
    addLines(pieces, mark.stroke);
    if (!mark.marker) return;
    const double apart = lengthOf(mark.apart, m_style), size = mark.marker->size * m_style.pointSize;
    std::optional<double> last;
    for (const QPolygonF& piece : pieces) {
      for (const QPointF& at : piece) {
        if (last && at.x() - *last < apart) continue;
        last = at.x();
        addMarker(at, *mark.marker, size);
      }
    }
  }

  void operator()(const BandMark& mark) {
    QPolygonF upper, lower;
    const auto finish = [&] {
      std::reverse(lower.begin(), lower.end());
      if (upper.size() > 1) addArea(upper + lower, colourOf(mark.fill, m_style));
      upper.clear();
      lower.clear();
    };
    for (std::size_t i = 0; i < std::min(mark.low.size(), mark.x.size()); ++i) {
      if (!std::isfinite(mark.low[i]) || !std::isfinite(mark.high[i])) {
        finish();
        continue;
      }
      const auto at = [&](double value) {
        return mark.sideways ? m_map.at(value, mark.x[i]) : m_map.at(mark.x[i], value);
      };
      upper.append(at(mark.high[i]));
      lower.append(at(mark.low[i]));
    }
    finish();
  }

  void operator()(const BarMarks& marks) { m_shapes = barShapes(marks, m_map, m_mark.clip); }

  void operator()(const ErrorBarMarks& marks) {
    const double cap = lengthOf(marks.cap, m_style);
    for (std::size_t i = 0; i < std::min(marks.x.size(), marks.low.size()); ++i) {
      if (!std::isfinite(marks.low[i]) || !std::isfinite(marks.high[i])) continue;
      const QPointF low = m_map.at(marks.x[i], marks.low[i]), high = m_map.at(marks.x[i], marks.high[i]);
      std::vector<QPolygonF> lines = {{low, high}};
      for (const QPointF& end : {low, high})
        if (cap > 0) lines.push_back({end - QPointF(cap, 0), end + QPointF(cap, 0)});
      addLines(lines, oneOf(marks.strokes, i));
    }
  }

  void operator()(const SegmentMarks& marks) {
    for (std::size_t i = 0; i < marks.x0.size(); ++i) {
      if (!std::isfinite(marks.y0[i]) || !std::isfinite(marks.y1[i])) continue;
      addLines({{m_map.at(marks.x0[i], marks.y0[i]), m_map.at(marks.x1[i], marks.y1[i])}},
               oneOf(marks.strokes, i));
    }
  }

  void operator()(const RuleMarks& marks) {
    const QRectF box = m_map.rect();
    for (const double at : marks.at) {
      const double x = m_map.x(at), y = m_map.y(at);
      addLines({marks.vertical ? QPolygonF({{x, box.top()}, {x, box.bottom()}})
                               : QPolygonF({{box.left(), y}, {box.right(), y}})},
               marks.stroke);
    }
  }

  void operator()(const MissingMarks& marks) {
    const QRectF box = m_map.rect();
    for (const auto& [from, to] : marks.spans) {
      const QRectF strip =
          QRectF(QPointF(m_map.x(from), box.top()), QPointF(m_map.x(to), box.bottom())) & box;
      if (strip.isEmpty()) continue;
      m_shapes.push_back(rectShape(strip, m_style.colours.alternate));
      addHatch(m_shapes, strip, lengthOf({3, 6}, m_style),
               penOf({Ink::MissingHatch, 1, Weight::Thin}, m_style));
    }
  }

  void operator()(const CellMarks& marks) { m_shapes = cellShapes(marks, m_map, m_mark.clip); }

  void operator()(const ExcerptMark& mark) { m_shapes = excerptShapes(mark, m_map); }

  void operator()(const CloudMark& mark) {
    const ScatterPicture cloud(mark, m_style);
    const std::size_t rows = mark.plane->query.size() + mark.plane->key.size();
    if (m_map.vector() && rows <= kVectorPointLimit) {
      cloud.eachDisc(m_map.axes(), [this](const ScatterPicture::Disc& disc) {
        constexpr double kRim = (1 - kRingHole) / 2;  // share of the diameter
        m_shapes.push_back(disc.ring ? discShape(disc.at, (1 - kRim) * disc.size, {},
                                                 pen(QColor(disc.colour), kRim * disc.size))
                                     : discShape(disc.at, disc.size, QColor(disc.colour)));
      });
      return;
    }
    const QRectF box = m_map.rect();
    m_shapes.push_back(pictureShape(cloud.points((box.size() * m_map.dots()).toSize(),
                                                 pixelMapOf(m_map.axes(), box, m_map.dots()), m_map.dots()),
                                    box));
  }

  void operator()(const LinesMark& mark) {
    const std::size_t each = mark.x->size();
    if (m_map.vector() && mark.y->size() <= kVectorSegmentLimit) {
      // Qt's PDF writer turns faint lines into outlines; round joins would make those ten times as long.
      QPen pen = penOf(mark.stroke, m_style);
      pen.setJoinStyle(Qt::BevelJoin);
      for (std::size_t first = 0; each > 0 && first + each <= mark.y->size(); first += each)
        addFaintLine(mark, first, pen);
      return;
    }
    addLinesPicture(mark);
  }

  void operator()(const ArrowMark& mark) {
    const QColor colour = colourOf(mark.colour, m_style);
    QPen line = penOf({mark.colour, 1, Weight::Line, {}, Length{0.9, 1.8}}, m_style);
    line.setCapStyle(Qt::RoundCap);
    QPen casing = casedPen(m_style, line);
    casing.setCapStyle(Qt::RoundCap);
    const double ring = lengthOf({2.4, 4.6}, m_style);
    const QPointF from = m_map.at(mark.x0, mark.y0), to = m_map.at(mark.x1, mark.y1);
    if (mark.arrow) {
      for (const QPen& pen : {casing, line}) {
        addLine({from, to}, pen);
        if (!m_map.rect().contains(to)) continue;
        const QLineF shaft(to, from);
        for (const double angle : {28.0, -28.0}) {
          QLineF barb = shaft;
          barb.setLength(1.7 * ring);
          barb.setAngle(shaft.angle() + angle);
          m_shapes.push_back(pathShape({barb.p1(), barb.p2()}, pen));
        }
      }
    }
    const QPointF middle = m_map.at(mark.centreX, mark.centreY);
    if (!m_map.rect().contains(middle)) return;
    const auto circle = [&](double radius, const QPen& pen, const QColor& fill) {
      m_shapes.push_back(discShape(middle, 2 * radius, fill, pen));
    };
    circle(ring + line.widthF(), pen(m_style.colours.casing, casing.widthF() * 0.6), {});
    circle(ring, pen(colour, line.widthF() * 0.8), m_style.colours.casing);
    const QPen cross = pen(colour, line.widthF() * 0.8);
    m_shapes.push_back(
        pathShape({middle - QPointF(0.55 * ring, 0), middle + QPointF(0.55 * ring, 0)}, cross));
    m_shapes.push_back(
        pathShape({middle - QPointF(0, 0.55 * ring), middle + QPointF(0, 0.55 * ring)}, cross));
  }

  void operator()(const TextMarks& marks) {
    if (!marks.ends.empty()) {
      m_shapes = endNameShapes(marks, m_map);
      return;
    }
    for (std::size_t i = 0; i < marks.room.size(); ++i) {
      const double room = m_map.x(marks.x[i] + marks.room[i]) - m_map.x(marks.x[i]);
      if (RichText(utf8(marks.texts[i]), m_style.number).size().width() > std::fabs(room)) return;
    }
    QRectF before;  // a text that would touch the previous one is left out
    for (std::size_t i = 0; i < marks.texts.size(); ++i) {
      const QPointF at = m_map.at(marks.x[i], marks.y[i]);
      const QString text = utf8(marks.texts[i]);
      const QSizeF size = RichText(text, m_style.number).size();
      const double letters = 0.6 * size.height();  // height of a line without the space above and below
      const QRectF place(at - QPointF(size.width() / 2, letters / 2), QSizeF(size.width(), letters));
      if (!m_map.rect().adjusted(-1, -1, 1, 1).contains(at) || place.intersects(before)) continue;
      before = place;
      m_shapes.push_back(centredText(text, m_style.number, colourOf(marks.colour, m_style), at));
    }
  }

  void operator()(const LabelMarks& marks) { m_shapes = labelShapes(marks, m_map); }

 private:
  Colour shadeOf(const PointMarks& marks, std::size_t i) const {
    Colour colour = Ink::Muted;
    if (std::isfinite(marks.shade[i])) {
      const double share = (marks.shade[i] - marks.low) / (marks.high - marks.low);
      const std::uint32_t rgb = colourMapOf(marks.colours, m_style).at(share) & 0xffffffU;
      colour = Colour(rgb, rgb);
    }
    colour.alpha = marks.style.colour.alpha;
    return colour;
  }

  bool isInside(const QPointF& at) const {
    return !m_mark.clip || m_map.rect().adjusted(-1, -1, 1, 1).contains(at);
  }

  void addMarker(const QPointF& at, const MarkerStyle& style, double size) {
    if (!std::isfinite(at.x()) || !std::isfinite(at.y()) || !isInside(at)) return;
    m_shapes.push_back(markerShape(style, at, size, m_style));
  }

  void addLine(const QLineF& line, const QPen& pen) {
    if (const auto part = m_mark.clip ? within(line, m_map.rect()) : std::optional(line))
      m_shapes.push_back(pathShape({part->p1(), part->p2()}, pen));
  }

  void addPolyline(const QPolygonF& points, const QPen& pen) {
    if (points.size() < 2) return;
    const bool inside = !m_mark.clip || std::all_of(points.begin(), points.end(), [this](const QPointF& p) {
      return m_map.rect().contains(p);
    });
    if (inside) {
      m_shapes.push_back(pathShape(points, pen));
      return;
    }
    for (qsizetype i = 1; i < points.size(); ++i) addLine({points[i - 1], points[i]}, pen);
  }

  void addLines(const std::vector<QPolygonF>& lines, const Stroke& stroke) {
    const QPen line = penOf(stroke, m_style);
    if (stroke.cased) {
      for (const QPolygonF& one : lines) addPolyline(one, casedPen(m_style, line));
    }
    for (const QPolygonF& one : lines) addPolyline(one, line);
  }

  void addArea(const QPolygonF& polygon, const QColor& fill) {
    const QPolygonF shown = m_mark.clip ? polygon.intersected(QPolygonF(m_map.rect())) : polygon;
    if (shown.size() > 2) m_shapes.push_back(areaShape(shown, fill));
  }

  // --- Many lines

  void addFaintLine(const LinesMark& mark, std::size_t first, const QPen& pen) {
    QPolygonF piece;
    for (std::size_t i = 0; i < mark.x->size(); ++i) {
      const double y = (*mark.y)[first + i];
      if (std::isfinite(y)) {
        piece.append(m_map.at((*mark.x)[i], y));
        continue;
      }
      addPolyline(piece, pen);
      piece.clear();
    }
    addPolyline(piece, pen);
  }

  void addLinesPicture(const LinesMark& mark) {
    const QRectF box = m_map.rect();
    const double dots = m_map.dots();
    const PixelMap map = pixelMapOf(m_map.axes(), box, dots);
    const std::array<double, 5> place = {map.offsetX, map.offsetY, map.scaleX, map.scaleY, dots};
    const QSize size = (box.size() * dots).toSize();
    const QPen pen = penOf(mark.stroke, m_style);
    LinePicture once;
    LinePicture& kept = m_lines != nullptr ? *m_lines : once;
    if (kept.owner != mark.owner.get() || kept.place != place || kept.colour != pen.color().rgba() ||
        kept.image.size() != size)
      kept = {drawLines(size, {*mark.x, *mark.y, pen.color().rgba(), pen.widthF() * dots}, map),
              mark.owner.get(), place, pen.color().rgba()};
    m_shapes.push_back(pictureShape(kept.image, box));
  }

  const Mark& m_mark;
  const BoxMap& m_map;
  const PlotStyle& m_style;
  LinePicture* m_lines;
  Primitives m_shapes;
};

}  // namespace

BoxMap::BoxMap(const QCPAxisRect& rect, const PlotStyle& style, bool vector, double dots)
    : m_axes(&rect), m_style(&style), m_box(rect.rect()), m_vector(vector), m_dots(dots) {}

double BoxMap::x(double value) const {
  return m_axes->axis(QCPAxis::atBottom)->coordToPixel(value);
}
double BoxMap::y(double value) const {
  return m_axes->axis(QCPAxis::atLeft)->coordToPixel(value);
}

Primitives shapesOf(const Mark& mark, const BoxMap& map, LinePicture* lines) {
  MarkShapes shapes(mark, map, lines);
  std::visit(shapes, mark.kind);
  return shapes.take();
}

}  // namespace plastiscope
