// Finds the items of a mark, and the one under the mouse.
#include <algorithm>
#include <cmath>

#include "core/views/plane_data.h"
#include "widgets/plots/mark_shapes.h"
#include "widgets/plots/qcp.h"

namespace plastiscope {

namespace {

constexpr double kLeastHeight = 8;  // pixels: minimum clickable height of a bar

std::vector<ItemPlace> pointPlaces(const Values& x, const Values& y, const BoxMap& map) {
  std::vector<ItemPlace> places;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    const QPointF at = map.at(x[i], y[i]);
    if (std::isfinite(y[i]) && map.rect().contains(at)) places.push_back({i, true, at, {}});
  }
  return places;
}

// The point of the segment that is nearest to `pixel`.
QPointF nearestPoint(const QLineF& segment, QPointF pixel) {
  const QPointF along = segment.p2() - segment.p1();
  const double length = QPointF::dotProduct(along, along);
  const double share = length > 0 ? QPointF::dotProduct(pixel - segment.p1(), along) / length : 0;
  return segment.pointAt(std::clamp(share, 0.0, 1.0));
}

struct Places {
  const BoxMap& map;
  std::optional<QPointF> mouse;  // bars are enlarged for it, segments are where they are nearest to it

  std::vector<ItemPlace> operator()(const PointMarks& m) const { return pointPlaces(m.x, m.y, map); }
  std::vector<ItemPlace> operator()(const LineMark& m) const {
    return m.noTips ? std::vector<ItemPlace>() : pointPlaces(m.x, m.y, map);
  }
  std::vector<ItemPlace> operator()(const SegmentMarks& m) const {
    std::vector<ItemPlace> places;
    for (std::size_t i = 0; i < m.x0.size(); ++i) {
      const QLineF segment(map.at(m.x0[i], m.y0[i]), map.at(m.x1[i], m.y1[i]));
      const QPointF at = mouse ? nearestPoint(segment, *mouse) : segment.center();
      if (map.rect().contains(at)) places.push_back({i, true, at, {}});
    }
    return places;
  }
  std::vector<ItemPlace> operator()(const BarMarks& m) const {
    std::vector<ItemPlace> places;
    for (std::size_t i = 0; i < m.left.size(); ++i) {
      if (!std::isfinite(m.top[i])) continue;
      QRectF area = QRectF(map.at(m.left[i], m.top[i]), map.at(m.right[i], m.bottom[i])).normalized();
      if (mouse && area.height() < kLeastHeight) area.adjust(0, -kLeastHeight, 0, kLeastHeight);
      places.push_back({i, false, {}, area & map.rect()});
    }
    return places;
  }
  std::vector<ItemPlace> operator()(const CellMarks& m) const {
    std::vector<ItemPlace> places;
    for (std::size_t i = 0; i < m.value.size(); ++i) {
      const auto& [left, right] = m.columns[i % m.columns.size()];
      const auto& [low, high] = m.rows[i / m.columns.size()];
      places.push_back({i, false, {}, QRectF(map.at(left, high), map.at(right, low)).normalized()});
    }
    return places;
  }
  std::vector<ItemPlace> operator()(const ExcerptMark& m) const { return excerptPlaces(m, map); }
  std::vector<ItemPlace> operator()(const CloudMark& m) const {
    std::vector<ItemPlace> places;
    std::size_t item = 0;
    for (const PlaneRows* rows : {&m.plane->query, &m.plane->key}) {
      for (std::size_t i = 0; i < rows->size(); ++i, ++item) {
        const QPointF at = map.at(static_cast<double>(rows->x[i]), static_cast<double>(rows->y[i]));
        if (map.rect().contains(at)) places.push_back({item, true, at, {}});
      }
    }
    return places;
  }
  template <typename Other>
  std::vector<ItemPlace> operator()(const Other&) const {
    return {};
  }
};

// Binary search for the interval that contains a value.
std::optional<std::size_t> intervalAt(const std::vector<std::pair<double, double>>& intervals, double value) {
  const auto after = std::upper_bound(intervals.begin(), intervals.end(), value,
                                      [](double v, const auto& interval) { return v < interval.first; });
  if (after == intervals.begin() || value > std::prev(after)->second) return std::nullopt;
  return static_cast<std::size_t>(std::prev(after) - intervals.begin());
}

}  // namespace

std::vector<ItemPlace> itemPlaces(const Mark& mark, const BoxMap& map) {
  return std::visit(Places{map, {}}, mark.kind);
}

std::optional<ItemPlace> itemAt(const Mark& mark, const BoxMap& map, QPointF pixel, double radius) {
  if (!map.rect().contains(pixel) || std::holds_alternative<CloudMark>(mark.kind)) return std::nullopt;
  if (const auto* cells = std::get_if<CellMarks>(&mark.kind)) {
    const auto column =
                   intervalAt(cells->columns, map.axes().axis(QCPAxis::atBottom)->pixelToCoord(pixel.x())),
               row = intervalAt(cells->rows, map.axes().axis(QCPAxis::atLeft)->pixelToCoord(pixel.y()));
    if (!column || !row) return std::nullopt;
    return ItemPlace{*row * cells->columns.size() + *column, false, {}, {}};
  }
  std::optional<ItemPlace> best;
  double least = radius;
  for (const ItemPlace& place : std::visit(Places{map, pixel}, mark.kind)) {
    const double away = place.point                  ? QLineF(place.at, pixel).length()
                        : place.area.contains(pixel) ? 0
                                                     : radius;
    if (away >= least) continue;
    least = away;
    best = place;
  }
  return best;
}

}  // namespace plastiscope
