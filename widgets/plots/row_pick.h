#pragma once
// Which rows of a plane lie at the pointer or inside a drawn line.
#include <QPolygonF>
#include <optional>
#include <vector>

#include "core/views/plane_data.h"

class QCPAxisRect;

namespace plastiscope {

struct RowRef {
  QueryOrKey kind = QueryOrKey::Query;
  std::size_t row = 0;
  bool operator==(const RowRef&) const = default;
};

QPointF rowPixel(const QCPAxisRect& rect, const PlaneRows& rows, std::size_t row);
// The row nearest to a pixel; nothing when all are too far away. Linear in the rows.
std::optional<RowRef> nearestRow(const PlaneData& data, const QCPAxisRect& rect, const QPointF& pixel);
// Rows of one kind inside a closed line of pixels that are in the panel, ascending. Linear in the rows,
// whatever the line: to half a pixel.
std::vector<std::int64_t> rowsInside(const PlaneRows& rows, const QCPAxisRect& rect, const QPolygonF& line);

}  // namespace plastiscope
