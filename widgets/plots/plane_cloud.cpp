#include "widgets/plots/plane_cloud.h"

#include <algorithm>
#include <cmath>

#include "widgets/plots/painted_layer.h"
#include "widgets/plots/plane_figure.h"

namespace plastiscope {

namespace {

constexpr int kRampSteps = 64;

// Early to late.
std::vector<QRgb> rampOf(const std::array<QColor, 4>& colours) {
  std::vector<QRgb> ramp;
  for (int i = 0; i < kRampSteps; ++i) ramp.push_back(rampColour(colours, i / (kRampSteps - 1.0)).rgb());
  return ramp;
}

}  // namespace

PixelMap pixelMapOf(const QCPAxisRect& rect, const QRectF& box, double dots) {
  const auto pixel = [dots](const QCPAxis& axis, double edge, double coordinate) {
    return (axis.coordToPixel(coordinate) - edge) * dots;
  };
  const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  PixelMap map;
  map.offsetX = pixel(x, box.left(), 0);
  map.scaleX = pixel(x, box.left(), 1) - map.offsetX;
  map.offsetY = pixel(y, box.top(), 0);
  map.scaleY = pixel(y, box.top(), 1) - map.offsetY;
  return map;
}

PlaneCloud::PlaneCloud(std::shared_ptr<const PlaneData> data, const PlotStyle& style)
    : m_data(std::move(data)),
      m_query(rampOf(style.colours.queryRamp)),
      m_key(rampOf(style.colours.keyRamp)),
      m_imageDots(style.imageDpi / (72.0 * style.unit)) {
  // Smaller discs the more there are, so that structure stays visible.
  const auto points = static_cast<double>(m_data->query.size() + m_data->key.size());
  m_size = style.pointSize * std::clamp(std::pow(4000 / std::max(points, 1.0), 0.25), 0.25, 1.0);
}

PointBatch PlaneCloud::batch(QueryOrKey kind) const {
  const PlaneRows& rows = m_data->rows(kind);
  return {rows.x, rows.y, rows.position, kind == QueryOrKey::Query ? m_query : m_key, m_data->window};
}

void PlaneCloud::paint(QCPPainter& painter, const QCPAxisRect& rect) const {
  const bool few = m_data->query.size() + m_data->key.size() <= kVectorPointLimit;
  if (isVector(painter) && few) return paintCircles(painter, rect);
  const double dots = isVector(painter) ? m_imageDots : painter.device()->devicePixelRatioF();
  const QRectF box(rect.rect());
  painter.setRenderHint(QPainter::LosslessImageRendering);
  painter.drawImage(box, points((box.size() * dots).toSize(), pixelMapOf(rect, box, dots), dots));
}

QImage PlaneCloud::points(QSize pixels, const PixelMap& map, double dots) const {
  QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  for (const QueryOrKey kind : {QueryOrKey::Key, QueryOrKey::Query})
    drawPoints(image, batch(kind), map, m_size / 2 * dots);
  return image;
}

QImage PlaneCloud::density(QSize pixels, const PixelMap& map) const {
  const std::array<PointBatch, 2> batches = {batch(QueryOrKey::Query), batch(QueryOrKey::Key)};
  return drawDensity(pixels, batches, map);
}

void PlaneCloud::paintCircles(QCPPainter& painter, const QCPAxisRect& rect) const {
  const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  painter.setPen(Qt::NoPen);
  for (const QueryOrKey kind : {QueryOrKey::Key, QueryOrKey::Query}) {
    const PlaneRows& rows = m_data->rows(kind);
    const auto& ramp = kind == QueryOrKey::Query ? m_query : m_key;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!std::isfinite(rows.x[i])) continue;
      const QPointF at(x.coordToPixel(static_cast<double>(rows.x[i])),
                       y.coordToPixel(static_cast<double>(rows.y[i])));
      if (!QRectF(rect.rect()).contains(at)) continue;
      const auto step =
          std::clamp<std::int64_t>(rows.position[i] * kRampSteps / m_data->window, 0, kRampSteps - 1);
      painter.setBrush(QColor(ramp[static_cast<std::size_t>(step)]));
      painter.drawEllipse(at, m_size / 2, m_size / 2);
    }
  }
}

}  // namespace plastiscope
