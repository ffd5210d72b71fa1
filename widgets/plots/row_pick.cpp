#include "widgets/plots/row_pick.h"

#include <QImage>
#include <QPainter>

#include "widgets/plots/scatter_layer.h"

namespace plastiscope {

namespace {
constexpr double kPickRadius = 9;  // pixels from the pointer to a row
constexpr double kFine = 2;        // subpixels per pixel, for rows inside a line
}  // namespace

QPointF rowPixel(const QCPAxisRect& rect, const PlaneRows& rows, std::size_t row) {
  return {rect.axis(QCPAxis::atBottom)->coordToPixel(static_cast<double>(rows.x[row])),
          rect.axis(QCPAxis::atLeft)->coordToPixel(static_cast<double>(rows.y[row]))};
}

std::optional<RowRef> nearestRow(const PlaneData& data, const QCPAxisRect& rect, const QPointF& pixel) {
  const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  const double px = x.pixelToCoord(pixel.x()), py = y.pixelToCoord(pixel.y());
  const double perX = x.coordToPixel(1) - x.coordToPixel(0), perY = y.coordToPixel(1) - y.coordToPixel(0);
  std::optional<RowRef> best;
  double least = kPickRadius * kPickRadius;
  for (const QueryOrKey kind : {QueryOrKey::Query, QueryOrKey::Key}) {
    const PlaneRows& rows = data.rows(kind);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double dx = (static_cast<double>(rows.x[i]) - px) * perX,
                   dy = (static_cast<double>(rows.y[i]) - py) * perY;
      const double distance = dx * dx + dy * dy;
      if (distance < least) {
        least = distance;
        best = RowRef{kind, i};
      }
    }
  }
  return best;
}

std::vector<std::int64_t> rowsInside(const PlaneRows& rows, const QCPAxisRect& rect, const QPolygonF& line) {
  // The line is filled in an image once; each row looks up its pixel.
  const QRectF box(rect.rect());
  QImage inside((box.size() * kFine).toSize(), QImage::Format_Grayscale8);
  inside.fill(0);
  QPainter painter(&inside);
  painter.scale(kFine, kFine);
  painter.translate(-box.topLeft());
  painter.setPen(Qt::NoPen);
  painter.setBrush(Qt::white);
  painter.drawPolygon(line, Qt::OddEvenFill);
  painter.end();
  const PixelMap map = pixelMapOf(rect, box, kFine);
  std::vector<std::int64_t> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double x = map.x(static_cast<double>(rows.x[i])), y = map.y(static_cast<double>(rows.y[i]));
    if (!(x >= 0 && y >= 0 && x < inside.width() && y < inside.height())) continue;  // NaN too
    if (inside.constScanLine(static_cast<int>(y))[static_cast<int>(x)] > 127)
      found.push_back(static_cast<std::int64_t>(i));
  }
  return found;
}

}  // namespace plastiscope
