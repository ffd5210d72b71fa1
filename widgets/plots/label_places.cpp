#include "widgets/plots/label_places.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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

}  // namespace plastiscope
