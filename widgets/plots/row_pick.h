#pragma once
// Finds the rows of a plane at the pointer or inside a drawn line.
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
// The row nearest to a pixel; nullopt when all are too far away. Linear in the rows.
std::optional<RowRef> nearestRow(const PlaneData& data, const QCPAxisRect& rect, const QPointF& pixel);
// Visible rows of one kind inside a closed line of pixels, ascending. Linear in the rows for any line, exact
// to half a pixel.
std::vector<std::int64_t> rowsInside(const PlaneRows& rows, const QCPAxisRect& rect, const QPolygonF& line);

}  // namespace plastiscope
