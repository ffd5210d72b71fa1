#pragma once
// Places the names of points: beside their point, clear of points, each other and everything drawn already.
// Private to widgets/plots.
#include <QLineF>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <vector>

namespace plastiscope {

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

}  // namespace plastiscope
