#pragma once
// Where names of points stand: beside their point, clear of all points, of each other and of what is drawn
// already. Private to widgets/plots.
#include <QLineF>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <vector>

namespace plastiscope {

struct LabelRoom {
  QRectF bounds;               // labels stay inside
  double pointRadius = 4;      // of every point
  std::vector<QRectF> taken;   // what is drawn already
  std::optional<QLineF> line;  // better not crossed
};

// One rectangle a point, in their order; empty where no free place is left.
std::vector<QRectF> placeLabels(const std::vector<QPointF>& points, const std::vector<QSizeF>& sizes,
                                const LabelRoom& room);

// The corner of `room` for a box of this size that covers the fewest points, at best none. What is taken in
// the room is not asked.
QRectF freestCorner(const LabelRoom& room, const QSizeF& size, double margin,
                    const std::vector<QPointF>& points);

}  // namespace plastiscope
