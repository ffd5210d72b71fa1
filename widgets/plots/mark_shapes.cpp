#include "widgets/plots/mark_shapes.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "core/figures/figures.h"
#include "widgets/plots/colour_maps.h"
#include "widgets/plots/label_places.h"
#include "widgets/plots/qcp.h"
#include "widgets/plots/rasters.h"
#include "widgets/plots/rich_text.h"
#include "widgets/plots/scatter_layer.h"
#include "widgets/state/icons.h"

namespace plastiscope {

namespace {

constexpr std::size_t kVectorSegmentLimit = 60000;  // of many lines: more become a picture in files too
constexpr double kNoteClearance = 1.7;              // of points from a note, in those from their names
constexpr std::size_t kVectorCellLimit = 20000;     // as figures.md 5.3 says

QString utf8(const std::string& bytes) {
  return QString::fromStdString(bytes);
}

// Black or white, whichever can be read on it.
QColor inkOn(const QColor& fill) {
  return qGray(fill.rgb()) > 140 ? QColor("#101214") : QColor("#f4f5f6");
}

template <typename Item>
const Item& oneOf(const std::vector<Item>& all, std::size_t i) {
  return all.size() == 1 ? all.front() : all[i];
}

Primitive pathShape(QPolygonF points, const QPen& pen) {
  Primitive shape;
  shape.points = std::move(points);
  shape.pen = pen;
  return shape;
}

Primitive areaShape(QPolygonF points, const QColor& fill, const QPen& pen = QPen(Qt::NoPen)) {
  Primitive shape = pathShape(std::move(points), pen);
  shape.closed = true;
  shape.fill = fill;
  return shape;
}

Primitive rectShape(const QRectF& rect, const QColor& fill, const QPen& pen = QPen(Qt::NoPen)) {
  return areaShape(QPolygonF({rect.topLeft(), rect.topRight(), rect.bottomRight(), rect.bottomLeft()}), fill,
                   pen);
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

// Slanted lines with one phase for the whole plot, so that neighbours join. As lines, not as a brush: a brush
// has the device's resolution.
void addHatch(Primitives& shapes, const QRectF& rect, double spacing, const QPen& pen) {
  // Lines x + y = k * spacing that cross the rect.
  const double first = std::ceil((rect.left() + rect.top()) / spacing) * spacing;
  for (double sum = first; sum <= rect.right() + rect.bottom(); sum += spacing) {
    const double x0 = std::max(rect.left(), sum - rect.bottom()),
                 x1 = std::min(rect.right(), sum - rect.top());
    if (x1 > x0) shapes.push_back(pathShape({{x0, sum - x0}, {x1, sum - x1}}, pen));
  }
}

// What a kind of mark becomes.
class MarkShapes {
 public:
  MarkShapes(const Mark& mark, const BoxMap& map, LinePicture* lines)
      : m_mark(mark), m_map(map), m_style(map.style()), m_lines(lines) {}
  Primitives take() { return std::move(m_shapes); }

  void operator()(const PointMarks& marks) {
    double size = marks.style.size * m_style.pointSize;
    if (marks.slots > 0) size = std::min(size, 0.75 * m_map.rect().width() / marks.slots);
    for (std::size_t i = 0; i < marks.x.size(); ++i)
      addMarker(m_map.at(marks.x[i], marks.y[i]), marks.style, size);
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
      upper.append(m_map.at(mark.x[i], mark.high[i]));
      lower.append(m_map.at(mark.x[i], mark.low[i]));
    }
    finish();
  }

  void operator()(const BarMarks& marks) {
    std::vector<QRectF> bars;
    for (std::size_t i = 0; i < marks.left.size(); ++i) {
      const bool known = std::isfinite(marks.top[i]) && std::isfinite(marks.right[i]);
      const double top = known ? marks.top[i] : marks.bottom[i];
      QRectF bar =
          QRectF(m_map.at(marks.left[i], top), m_map.at(marks.right[i], marks.bottom[i])).normalized();
      if (m_mark.clip) bar = clampedInto(bar);
      bars.push_back(bar);
      if (!known) continue;
      const QColor fill = colourOf(oneOf(marks.fills, i), m_style);
      m_shapes.push_back(rectShape(bar, fill, marks.rim ? penOf(*marks.rim, m_style) : QPen(Qt::NoPen)));
      if (!marks.feet.empty()) addFoot(bar, marks.feet[i], marks.top[i] < marks.bottom[i]);
    }
    if (marks.place == BarMarks::Numbers::Inside)
      addNumbersInside(marks, bars);
    else if (!marks.numbers.empty())
      addNumbersAbove(marks, bars);
  }

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

  void operator()(const CellMarks& marks) {
    const bool uniform = marks.between == CellMarks::Between::Joined;
    if (uniform && marks.value.size() > kVectorCellLimit) return addCellPicture(marks);
    for (std::size_t i = 0; i < marks.value.size(); ++i) addCell(marks, i);
    for (std::size_t i = 0; i < marks.value.size(); ++i) addCellSigns(marks, i);
  }

  void operator()(const CloudMark& mark) {
    const ScatterPicture cloud(mark.plane, m_style);
    const std::size_t rows = mark.plane->query.size() + mark.plane->key.size();
    if (m_map.vector() && rows <= kVectorPointLimit) {
      cloud.eachDisc(m_map.axes(), [this](const QPointF& at, double size, QRgb colour) {
        Primitive disc;
        disc.kind = Primitive::Kind::Marker;
        disc.at = at;
        disc.size = size;
        disc.fill = QColor(colour);
        m_shapes.push_back(disc);
      });
      return;
    }
    const QRectF box = m_map.rect();
    addPicture(cloud.points((box.size() * m_map.dots()).toSize(), pixelMapOf(m_map.axes(), box, m_map.dots()),
                            m_map.dots()),
               box);
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
      Primitive shape;
      shape.kind = Primitive::Kind::Marker;
      shape.at = middle;
      shape.size = 2 * radius;
      shape.pen = pen;
      shape.fill = fill;
      m_shapes.push_back(shape);
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
    for (std::size_t i = 0; i < marks.texts.size(); ++i) {
      const QPointF at = m_map.at(marks.x[i], marks.y[i]);
      if (m_map.rect().adjusted(-1, -1, 1, 1).contains(at))
        addCentred(utf8(marks.texts[i]), at, colourOf(marks.colour, m_style));
    }
  }

  void operator()(const LabelMarks& marks) {
    std::vector<QPointF> at;
    for (std::size_t i = 0; i < marks.x.size(); ++i) at.push_back(m_map.at(marks.x[i], marks.y[i]));
    std::optional<QLineF> line;
    if (marks.line)
      line = QLineF(m_map.at(marks.line->first.first, marks.line->first.second),
                    m_map.at(marks.line->second.first, marks.line->second.second));
    const double radius = marks.radius * m_style.pointSize;
    const QRectF note = addNote(marks, at, line, kNoteClearance * radius);
    std::vector<QSizeF> sizes;
    for (const std::string& name : marks.texts) sizes.push_back(RichText(utf8(name), m_style.number).size());
    const double inset = m_style.u(1.5);
    const LabelRoom room{m_map.rect().adjusted(inset, inset, -inset, -inset), radius, {note}, line};
    const std::vector<QRectF> places = placeLabels(at, sizes, room);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i].isEmpty()) continue;
      m_shapes.push_back(
          textShape(utf8(marks.texts[i]), m_style.number, m_style.colours.text, places[i].topLeft()));
      addLeader(at[i], places[i], radius);
    }
  }

 private:
  bool isInside(const QPointF& at) const {
    return !m_mark.clip || m_map.rect().adjusted(-1, -1, 1, 1).contains(at);
  }

  QRectF clampedInto(const QRectF& bar) const {
    const QRectF box = m_map.rect();
    return {QPointF(std::clamp(bar.left(), box.left(), box.right()),
                    std::clamp(bar.top(), box.top(), box.bottom())),
            QPointF(std::clamp(bar.right(), box.left(), box.right()),
                    std::clamp(bar.bottom(), box.top(), box.bottom()))};
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

  void addPicture(const QImage& image, const QRectF& area) {
    Primitive shape;
    shape.kind = Primitive::Kind::Picture;
    shape.picture = image;
    shape.area = area;
    m_shapes.push_back(std::move(shape));
  }

  void addCentred(const QString& words, const QPointF& middle, const QColor& colour) {
    const QSizeF size = RichText(words, m_style.number).size();
    m_shapes.push_back(
        textShape(words, m_style.number, colour, middle - QPointF(size.width() / 2, size.height() / 2)));
  }

  // The mark that tells colours apart without colour.
  void addFoot(const QRectF& bar, Marker marker, bool below) {
    const double size = std::min(1.35 * m_style.pointSize, 0.7 * bar.width());
    if (bar.height() < 2.2 * size) return;
    Primitive foot;
    foot.kind = Primitive::Kind::Marker;
    foot.marker = marker;
    foot.size = size;
    foot.at = {bar.center().x(), below ? bar.top() + 1.1 * size : bar.bottom() - 1.1 * size};
    foot.fill = m_style.colours.view;
    m_shapes.push_back(foot);
  }

  void addNumbersInside(const BarMarks& marks, const std::vector<QRectF>& bars) {
    const QFontMetricsF metrics(m_style.number);
    for (std::size_t i = 0; i < std::min(bars.size(), marks.numbers.size()); ++i) {
      const QString number = utf8(marks.numbers[i]);
      if (metrics.horizontalAdvance(number) + metrics.height() * 0.4 > bars[i].width()) continue;
      addCentred(number, bars[i].center(), inkOn(colourOf(oneOf(marks.fills, i), m_style)));
    }
  }

  // Above whatever reaches higher than the bar, and above a level that the number would cross.
  double numberFoot(const BarMarks& marks, std::size_t i, const QRectF& bar, double needed) const {
    double top = marks.top[i] < marks.bottom[i] ? bar.bottom() - bar.height() : bar.top();
    if (i < marks.reach.size() && std::isfinite(marks.reach[i]))
      top = std::min(top, m_map.y(marks.reach[i]) - m_style.u(1));
    for (const Values& levels : marks.levels) {
      const double level = i < levels.size() && std::isfinite(levels[i]) ? m_map.y(levels[i]) : top;
      if (level < top && top - level < needed + m_style.u(m_style.print ? 2 : 4)) top = level - m_style.u(1);
    }
    return top;
  }

  void addNumbersAbove(const BarMarks& marks, const std::vector<QRectF>& bars) {
    const QFontMetricsF metrics(m_style.number);
    const double line = metrics.height(), widest = metrics.horizontalAdvance(QStringLiteral("0.888"));
    const bool all = marks.place == BarMarks::Numbers::AboveAllOrNone;
    const double bar = bars.empty() ? 0 : bars.front().width();
    const bool turned = all && widest > 1.15 * bar;
    // Some of them would look like a choice.
    if (all) {
      if (turned && 0.8 * line > 1.25 * bar) return;
      const double above = m_map.rect().top() - m_style.u(4), needed = turned ? widest : line;
      for (std::size_t i = 0; i < bars.size(); ++i)
        if (numberFoot(marks, i, bars[i], needed) - needed < above) return;
    }
    for (std::size_t i = 0; i < bars.size(); ++i) {
      const QString number = utf8(marks.numbers[i]);
      if (number.isEmpty()) continue;
      const double width = metrics.horizontalAdvance(number), middle = bars[i].center().x();
      if (!all && width > 1.4 * bars[i].width()) continue;
      const double foot = numberFoot(marks, i, bars[i], turned ? widest : line);
      if (turned)
        m_shapes.push_back(textShape(number, m_style.number, m_style.colours.text,
                                     {middle - line / 2, foot - lengthOf({1.2, 3}, m_style)}, -90));
      else
        m_shapes.push_back(textShape(number, m_style.number, m_style.colours.text,
                                     {middle - width / 2, foot - line - lengthOf({0.6, 1}, m_style)}));
    }
  }

  // --- Cells

  CellState stateAt(const CellMarks& marks, std::size_t column, std::size_t row) const {
    return column < marks.columns.size() && row < marks.rows.size()
               ? marks.state[row * marks.columns.size() + column]
               : CellState::Empty;
  }

  // On the screen on whole pixels.
  QRectF cellRect(const CellMarks& marks, std::size_t i) const {
    const auto& [left, right] = marks.columns[i % marks.columns.size()];
    const auto& [low, high] = marks.rows[i / marks.columns.size()];
    QRectF cell = QRectF(m_map.at(left, high), m_map.at(right, low)).normalized();
    if (!m_map.vector() && marks.between != CellMarks::Between::Line)
      cell = QRectF(QPointF(std::round(cell.left()), std::round(cell.top())),
                    QPointF(std::round(cell.right()), std::round(cell.bottom())));
    return cell;
  }

  QColor cellColour(const CellMarks& marks, std::size_t i) const {
    if (marks.state[i] == CellState::Few) return colourOf(Ink::FewFill, m_style);
    if (marks.state[i] != CellState::Valued) return m_style.colours.window;
    const ColourMap& map = colourMapOf(marks.colours, m_style);
    return QColor(map.at((marks.value[i] - marks.low) / (marks.high - marks.low)));
  }

  void addCell(const CellMarks& marks, std::size_t i) {
    if (marks.state[i] == CellState::Empty) return;
    QRectF cell = cellRect(marks, i);
    QPen rim(Qt::NoPen);
    if (marks.between == CellMarks::Between::Gap) {  // a thin line between the cells, unless they are tiny
      const double gap =
          std::min(cell.width(), cell.height()) >= m_style.u(5) ? lengthOf({0.4, 1}, m_style) : 0;
      cell.adjust(0, 0, -gap, -gap);
    } else if (marks.between == CellMarks::Between::Line) {
      rim = penOf({Ink::Ground, 1, Weight::Thin, {}, Length{0.25, 0.8}}, m_style);
    } else if (m_map.vector()) {
      // Each cell reaches a little under those painted after it, so that no viewer shows the ground between.
      const std::size_t column = i % marks.columns.size(), row = i / marks.columns.size();
      if (stateAt(marks, column + 1, row) != CellState::Empty) cell.setRight(cell.right() + m_style.u(0.4));
      if (stateAt(marks, column, row + 1) != CellState::Empty) cell.setTop(cell.top() - m_style.u(0.4));
    }
    if (m_mark.clip) cell &= m_map.rect();
    if (cell.isEmpty()) return;
    m_shapes.push_back(rectShape(cell, cellColour(marks, i), rim));
    m_shapes.back().crisp = !m_map.vector();
  }

  void addCellSigns(const CellMarks& marks, std::size_t i) {
    if (marks.state[i] == CellState::Empty) return;
    const QRectF cell = cellRect(marks, i) & m_map.rect();
    if (marks.state[i] == CellState::Few)
      addHatch(m_shapes, cell, lengthOf({2.6, 5}, m_style),
               penOf({Ink::FewHatch, 0.9, Weight::Thin}, m_style));
    if (marks.state[i] == CellState::Unknown)
      addHatch(m_shapes, cell, m_style.u(4), penOf({Ink::Muted, 1, Weight::Thin}, m_style));
    if (marks.texts.empty()) return;
    const QFontMetricsF metrics(m_style.number);
    const QStringList forms = utf8(marks.texts[i]).split('|');
    const auto fits = [&](const QString& form) {
      return metrics.horizontalAdvance(form) <= cell.width() - m_style.u(1) &&
             0.8 * metrics.height() <= cell.height();
    };
    const auto form = std::find_if(forms.begin(), forms.end(), fits);
    if (form == forms.end() || form->isEmpty()) return;
    const QColor fill = cellColour(marks, i);
    if (marks.state[i] == CellState::Few) {  // the hatching would read as minus signs
      QRectF ground(0, 0, metrics.horizontalAdvance(*form) + m_style.u(2), metrics.ascent());
      ground.moveCenter(cell.center());
      m_shapes.push_back(rectShape(ground & cell, fill));
    }
    addCentred(*form, cell.center(), inkOn(fill));
  }

  // One pixel a cell, the last row on top.
  void addCellPicture(const CellMarks& marks) {
    const auto columns = static_cast<int>(marks.columns.size()), rows = static_cast<int>(marks.rows.size());
    QImage image(columns, rows, QImage::Format_ARGB32_Premultiplied);
    for (int row = 0; row < rows; ++row) {
      auto* line = reinterpret_cast<QRgb*>(image.scanLine(rows - 1 - row));
      for (int column = 0; column < columns; ++column) {
        const auto i =
            static_cast<std::size_t>(row) * marks.columns.size() + static_cast<std::size_t>(column);
        line[column] = marks.state[i] == CellState::Empty ? qRgba(0, 0, 0, 0) : cellColour(marks, i).rgba();
      }
    }
    addPicture(image, QRectF(m_map.at(marks.columns.front().first, marks.rows.back().second),
                             m_map.at(marks.columns.back().second, marks.rows.front().first)));
  }

  // --- Very many lines

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
      kept = {drawLines(size, *mark.x, *mark.y, map, pen.color().rgba(), pen.widthF() * dots),
              mark.owner.get(), place, pen.color().rgba()};
    addPicture(kept.image, box);
  }

  // --- Labels

  QRectF addNote(const LabelMarks& marks, const std::vector<QPointF>& at, const std::optional<QLineF>& line,
                 double radius) {
    double width = 0, height = 0;
    for (const std::string& one : marks.note) {
      const QSizeF size = RichText(utf8(one), m_style.tick).size();
      width = std::max(width, size.width());
      height += size.height();
    }
    const double pad = lengthOf({3, 6}, m_style);
    const QRectF box =
        freestCorner(m_map.rect(), QSizeF(width + 2 * pad, height + 1.2 * pad), pad, at, radius, line);
    if (marks.note.empty()) return {};
    m_shapes.push_back(rectShape(box, m_style.colours.view, pen(m_style.colours.border, m_style.axisWidth)));
    double top = box.top() + 0.6 * pad;
    for (const std::string& one : marks.note) {
      m_shapes.push_back(textShape(utf8(one), m_style.tick, m_style.colours.text, {box.left() + pad, top}));
      top += RichText(utf8(one), m_style.tick).size().height();
    }
    return box;
  }

  // To a name that stands further away.
  void addLeader(const QPointF& at, const QRectF& name, double radius) {
    const QPointF end(std::clamp(at.x(), name.left(), name.right()),
                      std::clamp(at.y(), name.top(), name.bottom()));
    const QLineF leader(at, end);
    if (leader.length() < 2.5 * radius) return;
    m_shapes.push_back(pathShape({leader.pointAt(radius / leader.length()), end},
                                 pen(m_style.colours.muted, m_style.thinWidth)));
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

const ColourMap& colourMapOf(const std::string& name, const PlotStyle& style) {
  return colourMap(name == "metrics" ? style.metricColours : name == "maps" ? style.mapColours : utf8(name));
}

Primitives shapesOf(const Mark& mark, const BoxMap& map, LinePicture* lines) {
  MarkShapes shapes(mark, map, lines);
  std::visit(shapes, mark.kind);
  return shapes.take();
}

Primitive markerShape(const MarkerStyle& style, QPointF at, double size, const PlotStyle& of) {
  Primitive shape;
  shape.kind = Primitive::Kind::Marker;
  shape.marker = style.shape;
  shape.at = at;
  shape.size = size;
  const QColor colour = colourOf(style.colour, of);
  shape.fill = style.hollow ? of.colours.view : colour;
  if (style.hollow || style.rim == Rim::Own)
    shape.pen = pen(colour, 0.8 * of.lineWidth);
  else if (style.rim == Rim::Ground)
    shape.pen = pen(of.colours.view, lengthOf({0.2, 0.6}, of));
  return shape;
}

Primitive textShape(const QString& rich, const QFont& font, const QColor& colour, QPointF topLeft,
                    double angle) {
  Primitive shape;
  shape.kind = Primitive::Kind::Text;
  shape.text = rich;
  shape.font = font;
  shape.pen = QPen(colour);
  shape.at = topLeft;
  shape.angle = angle;
  return shape;
}

Primitives symbolShapes(const LegendSymbol& symbol, const QRectF& place, const PlotStyle& style) {
  Primitives shapes;
  const QRectF box = place.adjusted(0, 0.1 * place.height(), 0, -0.1 * place.height());
  const QPointF middle = place.center();
  if (symbol.ramp != Ink::None) {
    // Each step reaches to the right end, so that no seam shows between steps.
    constexpr int kSteps = 16;
    for (int i = 0; i < kSteps; ++i) {
      QRectF step = box;
      step.setLeft(box.left() + box.width() * i / kSteps);
      const auto& ramp = symbol.ramp == Ink::Query ? style.colours.queryRamp : style.colours.keyRamp;
      shapes.push_back(rectShape(step, rampColour(ramp, i / (kSteps - 1.0))));
    }
  }
  if (symbol.box || symbol.rim)
    shapes.push_back(rectShape(box, symbol.box ? colourOf(*symbol.box, style) : QColor(),
                               symbol.rim ? penOf(*symbol.rim, style) : QPen(Qt::NoPen)));
  if (symbol.hatch != Ink::None)
    addHatch(shapes, box, lengthOf({3, 5}, style), penOf({symbol.hatch, 1, Weight::Thin}, style));
  if (symbol.line)
    shapes.push_back(
        pathShape({{place.left(), middle.y()}, {place.right(), middle.y()}}, penOf(*symbol.line, style)));
  if (symbol.bar) {
    const QPen pen = penOf(*symbol.bar, style);
    const double cap = lengthOf(symbol.cap, style);
    shapes.push_back(pathShape({{middle.x(), place.top()}, {middle.x(), place.bottom()}}, pen));
    for (const double y : {place.top(), place.bottom()})
      if (cap > 0) shapes.push_back(pathShape({{middle.x() - cap, y}, {middle.x() + cap, y}}, pen));
  }
  if (symbol.ringed && symbol.marker) {
    const MarkerStyle ring{Marker::Ring, Ink::Text, true, 1.7 * symbol.marker->size, Rim::Own};
    shapes.push_back(markerShape(ring, middle, ring.size * style.pointSize, style));
  }
  if (symbol.marker)
    shapes.push_back(markerShape(*symbol.marker, middle, symbol.marker->size * style.pointSize, style));
  return shapes;
}

void paintShapes(QPainter& painter, const Primitives& shapes) {
  for (const Primitive& shape : shapes) {
    painter.setRenderHint(QPainter::Antialiasing, !shape.crisp);
    painter.setPen(shape.pen);
    painter.setBrush(shape.fill.isValid() ? QBrush(shape.fill) : QBrush(Qt::NoBrush));
    switch (shape.kind) {
      case Primitive::Kind::Path:
        if (shape.closed)
          painter.drawPolygon(shape.points);
        else
          painter.drawPolyline(shape.points);
        break;
      case Primitive::Kind::Marker:
        painter.drawPath(markerPath(shape.marker, QRectF(shape.at - QPointF(shape.size / 2, shape.size / 2),
                                                         QSizeF(shape.size, shape.size))));
        break;
      case Primitive::Kind::Text:
        painter.save();
        painter.translate(shape.at);
        painter.rotate(shape.angle);
        RichText(shape.text, shape.font).draw(painter, {0, 0});
        painter.restore();
        break;
      case Primitive::Kind::Picture:
        painter.setRenderHint(QPainter::LosslessImageRendering);
        painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
        painter.drawImage(shape.area, shape.picture);
        break;
    }
  }
  painter.setRenderHint(QPainter::Antialiasing, true);
}

}  // namespace plastiscope
