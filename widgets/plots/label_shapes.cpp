// Draws names beside points as shapes, and a note in the emptiest corner.

#include <QFontMetricsF>
#include <algorithm>
#include <limits>
#include <numeric>

#include "widgets/plots/mark_shapes.h"

namespace plastiscope {

namespace {

QRectF boxAround(const QPointF& point, double radius) {
  return QRectF(point - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius));
}

bool crosses(const QRectF& box, const QLineF& line) {
  const QPointF corners[] = {box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()};
  for (int i = 0; i < 4; ++i) {
    if (line.intersects(QLineF(corners[i], corners[(i + 1) % 4])) == QLineF::BoundedIntersection) return true;
  }
  return box.contains(line.p1());
}

// Places around a point, best first: right, left, above, below, corners; then the same further out.
std::vector<QRectF> candidates(const QPointF& at, const QSizeF& size, double radius) {
  struct Place {
    double x, y;  // offset of the label's centre, in half sizes beyond the gap
  };
  static constexpr Place kPlaces[] = {{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {1, 1}, {-1, -1}, {-1, 1}};
  std::vector<QRectF> boxes;
  for (const double far : {1.0, 2.4, 4.0}) {
    for (const Place& place : kPlaces) {
      const double gap = radius * (0.35 + far);
      // A diagonal label is nearest at its corner, so it needs less of the gap.
      const double share = place.x != 0 && place.y != 0 ? 0.72 : 1;
      const QPointF centre = at + QPointF(place.x * (size.width() / 2 + share * gap),
                                          place.y * (size.height() / 2 + share * gap));
      boxes.emplace_back(centre - QPointF(size.width() / 2, size.height() / 2), size);
    }
  }
  return boxes;
}

}  // namespace

std::vector<QRectF> placeLabels(const std::vector<QPointF>& points, const std::vector<QSizeF>& sizes,
                                const LabelRoom& room) {
  std::vector<QRectF> taken = room.taken;
  for (const QPointF& point : points) taken.push_back(boxAround(point, 0.9 * room.pointRadius));
  // Points with the nearest neighbours choose first.
  std::vector<double> distance(points.size(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (i != j) distance[i] = std::min(distance[i], QLineF(points[i], points[j]).length());
    }
  }
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return distance[a] < distance[b]; });
  std::vector<QRectF> places(points.size());
  for (const std::size_t i : order) {
    QRectF second;  // free, but over the line
    for (const QRectF& box : candidates(points[i], sizes[i], room.pointRadius)) {
      const bool free = room.bounds.contains(box) &&
                        std::none_of(taken.begin(), taken.end(),
                                     [&](const QRectF& other) { return other.intersects(box); });
      if (!free) continue;
      if (room.line && crosses(box, *room.line)) {
        if (second.isEmpty()) second = box;
        continue;
      }
      places[i] = box;
      break;
    }
    if (places[i].isEmpty()) places[i] = second;
    if (!places[i].isEmpty()) taken.push_back(places[i]);
  }
  return places;
}

QRectF freestCorner(const LabelRoom& room, const QSizeF& size, double margin,
                    const std::vector<QPointF>& points) {
  const auto& [bounds, pointRadius, taken, line] = room;
  const double left = bounds.left() + margin, right = bounds.right() - margin - size.width();
  const double top = bounds.top() + margin, bottom = bounds.bottom() - margin - size.height();
  QRectF best;
  double least = std::numeric_limits<double>::infinity();
  for (const QPointF& corner :
       {QPointF(right, top), QPointF(left, top), QPointF(right, bottom), QPointF(left, bottom)}) {
    const QRectF box(corner, size);
    double cost = line && crosses(box, *line) ? 0.5 : 0;
    // Labels stand beside points, so points near the box are obstacles too.
    const QRectF near = box.adjusted(-4 * pointRadius, -2 * pointRadius, 4 * pointRadius, 2 * pointRadius);
    for (const QPointF& point : points) {
      if (boxAround(point, pointRadius).intersects(box))
        cost += 10;
      else if (near.contains(point))
        cost += 1;
    }
    if (cost < least) {
      least = cost;
      best = box;
    }
  }
  return best;
}

namespace {

constexpr double kNoteClearance = 1.7;  // distance of a note from points, relative to that of names

class LabelShapes {
 public:
  LabelShapes(const LabelMarks& marks, const BoxMap& map)
      : m_marks(marks), m_map(map), m_style(map.style()), m_radius(marks.radius * m_style.pointSize) {
    for (std::size_t i = 0; i < marks.x.size(); ++i) m_points.push_back(map.at(marks.x[i], marks.y[i]));
    if (!marks.line) return;
    const auto& [from, to] = *marks.line;
    m_line = QLineF(map.at(from.first, from.second), map.at(to.first, to.second));
  }

  Primitives make() {
    const QRectF note = addNote(kNoteClearance * m_radius);
    std::vector<QSizeF> sizes;
    for (const std::string& name : m_marks.texts) sizes.push_back(sizeOf(name, m_style.number));
    const double inset = m_style.u(1.5);
    const LabelRoom room{m_map.rect().adjusted(inset, inset, -inset, -inset), m_radius, {note}, m_line};
    const std::vector<QRectF> places = placeLabels(m_points, sizes, room);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i].isEmpty()) continue;
      addText(m_marks.texts[i], m_style.number, places[i].topLeft());
      addLeader(m_points[i], places[i]);
    }
    return std::move(m_shapes);
  }

 private:
  static QSizeF sizeOf(const std::string& text, const QFont& font) {
    return RichText(QString::fromStdString(text), font).size();
  }

  void addText(const std::string& text, const QFont& font, const QPointF& topLeft) {
    m_shapes.push_back(textShape(QString::fromStdString(text), font, m_style.colours.text, topLeft));
  }

  QRectF addNote(double clearance) {
    double width = 0, height = 0;
    for (const std::string& one : m_marks.note) {
      const QSizeF size = sizeOf(one, m_style.tick);
      width = std::max(width, size.width());
      height += size.height();
    }
    if (m_marks.note.empty()) return {};
    const double pad = lengthOf({3, 6}, m_style);
    const QRectF box = freestCorner({m_map.rect(), clearance, {}, m_line},
                                    QSizeF(width + 2 * pad, height + 1.2 * pad), pad, m_points);
    m_shapes.push_back(rectShape(box, m_style.colours.view, pen(m_style.colours.border, m_style.axisWidth)));
    double top = box.top() + 0.6 * pad;
    for (const std::string& one : m_marks.note) {
      addText(one, m_style.tick, {box.left() + pad, top});
      top += sizeOf(one, m_style.tick).height();
    }
    return box;
  }

  // Leader line to a name further away.
  void addLeader(const QPointF& at, const QRectF& name) {
    const QPointF end(std::clamp(at.x(), name.left(), name.right()),
                      std::clamp(at.y(), name.top(), name.bottom()));
    const QLineF leader(at, end);
    if (leader.length() < 2.5 * m_radius) return;
    m_shapes.push_back(pathShape({leader.pointAt(m_radius / leader.length()), end},
                                 pen(m_style.colours.muted, m_style.thinWidth)));
  }

  const LabelMarks& m_marks;
  const BoxMap& m_map;
  const PlotStyle& m_style;
  double m_radius;
  std::vector<QPointF> m_points;
  std::optional<QLineF> m_line;
  Primitives m_shapes;
};

}  // namespace

Primitives labelShapes(const LabelMarks& marks, const BoxMap& map) {
  return LabelShapes(marks, map).make();
}

// --- Names of lines, at their ends

namespace {

struct EndName {
  std::size_t index;
  double end, at;  // the line's end and the middle of its name, on the y axis of the layout
};

// Leaves out names in the most crowded places until `most` are left.
void leaveOutCrowded(std::vector<EndName>& names, std::size_t most) {
  while (names.size() > std::max<std::size_t>(1, most)) {
    std::size_t crowded = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i + 1 < names.size(); ++i) {
      const double room = names[i + 1].end - names[i - 1].end;
      if (room >= least) continue;
      least = room;
      crowded = i;
    }
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(crowded));
  }
}

// Moves names apart by as little as possible: names that would touch become a block around their mean.
void moveApart(std::vector<EndName>& names, double height, double top, double bottom) {
  struct Block {
    std::size_t count;
    double sum, first;  // of the ends; place of the first name
  };
  std::vector<Block> blocks;
  const auto settle = [&](Block& block) {
    const double rest = static_cast<double>(block.count - 1) * height;
    block.first = std::clamp(block.sum / static_cast<double>(block.count) - rest / 2, top,
                             std::max(top, bottom - rest));
  };
  for (const EndName& name : names) {
    blocks.push_back({1, name.end, name.end});
    settle(blocks.back());
    while (blocks.size() > 1) {
      Block& before = blocks[blocks.size() - 2];
      if (before.first + static_cast<double>(before.count) * height <= blocks.back().first) break;
      before.count += blocks.back().count;
      before.sum += blocks.back().sum;
      blocks.pop_back();
      settle(before);
    }
  }
  auto name = names.begin();
  for (const Block& block : blocks) {
    for (std::size_t i = 0; i < block.count; ++i)
      (name++)->at = block.first + static_cast<double>(i) * height;
  }
}

}  // namespace

Primitives endNameShapes(const TextMarks& marks, const BoxMap& map) {
  const PlotStyle& style = map.style();
  const QRectF box = map.rect();
  const double height = 0.92 * QFontMetricsF(style.number).height();
  std::vector<EndName> names;
  for (std::size_t i = 0; i < marks.texts.size(); ++i) {
    const double end = std::clamp(map.y(marks.y[i]), box.top(), box.bottom());
    names.push_back({i, end, end});
  }
  std::ranges::stable_sort(names, {}, &EndName::end);
  leaveOutCrowded(names, static_cast<std::size_t>(box.height() / height) + 1);
  moveApart(names, height, box.top(), box.bottom());
  Primitives shapes;
  const double lead = style.u(style.print ? 7 : 12), gap = style.u(style.print ? 1.5 : 3);
  for (const EndName& name : names) {
    const Colour& colour = marks.ends[name.index];
    shapes.push_back(pathShape({{box.left(), name.end}, {box.left() + lead, name.at}},
                               pen(colourOf(colour, style), style.thinWidth)));
    const QString text = QString::fromStdString(marks.texts[name.index]);
    const double rise = RichText(text, style.number).size().height() / 2;
    shapes.push_back(textShape(text, style.number, colourOf(colour.mixed(Ink::Text, 0.45), style),
                               {box.left() + lead + gap, name.at - rise}));
  }
  return shapes;
}

}  // namespace plastiscope
