#include "widgets/plots/live_cloud.h"

#include <QtConcurrent/QtConcurrentRun>

namespace plastiscope {
namespace {

// So much of the panel's size is drawn beyond each edge, so that panning finds something there.
constexpr double kMargin = 0.25;
// Fewer rows are drawn at once, in their place to the pixel.
constexpr std::size_t kDrawnAtOnce = 20000;

QRectF widened(const QRectF& box) {
  return box.adjusted(-kMargin * box.width(), -kMargin * box.height(), kMargin * box.width(),
                      kMargin * box.height());
}

}  // namespace

LiveCloud::LiveCloud(QObject* parent) : QObject(parent) {
  connect(&m_watcher, &QFutureWatcher<Picture>::finished, this, &LiveCloud::take);
}

void LiveCloud::use(std::shared_ptr<const PlaneData> data, const PlotStyle& style, bool density) {
  m_cloud = std::make_shared<const PlaneCloud>(std::move(data), style);
  m_density = density;
  m_picture = {};
  m_wanted.reset();
  ++m_generation;
}

LiveCloud::Place LiveCloud::placeOf(const QCPAxisRect& rect, double dots) {
  const QRectF box = widened(rect.rect());
  const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  return {(box.size() * dots).toSize(),
          {x.pixelToCoord(box.left()), x.pixelToCoord(box.right())},
          {y.pixelToCoord(box.bottom()), y.pixelToCoord(box.top())},
          dots};
}

// Where the edges of a picture lie now.
QRectF LiveCloud::targetOf(const QCPAxisRect& rect, const Place& place) {
  const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  return {QPointF(x.coordToPixel(place.x.lower), y.coordToPixel(place.y.upper)),
          QPointF(x.coordToPixel(place.x.upper), y.coordToPixel(place.y.lower))};
}

void LiveCloud::paint(QCPPainter& painter, const QCPAxisRect& rect) {
  if (!m_cloud) return;
  const std::size_t rows = m_cloud->data().query.size() + m_cloud->data().key.size();
  if (rows <= kDrawnAtOnce && !m_density) return m_cloud->paint(painter, rect);
  const Place now = placeOf(rect, painter.device()->devicePixelRatioF());
  if (!m_picture.image.isNull()) {
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(targetOf(rect, m_picture.place), m_picture.image);
  }
  if (m_picture.image.isNull() || m_picture.place != now) request(now);
}

void LiveCloud::request(const Place& place) {
  if (m_watcher.isRunning()) {
    m_wanted = place;  // the newest wish waits, those before it are dropped
    return;
  }
  m_wanted.reset();
  m_watcher.setFuture(QtConcurrent::run([cloud = m_cloud, place, density = m_density,
                                         generation = m_generation]() -> Picture {
    PixelMap map;
    map.scaleX = place.pixels.width() / place.x.size();
    map.offsetX = -map.scaleX * place.x.lower;
    map.scaleY = -place.pixels.height() / place.y.size();
    map.offsetY = -map.scaleY * place.y.upper;
    return {place, density ? cloud->density(place.pixels, map) : cloud->points(place.pixels, map, place.dots),
            generation};
  }));
}

void LiveCloud::take() {
  Picture picture = m_watcher.result();
  if (picture.generation == m_generation) m_picture = std::move(picture);
  if (m_wanted) request(Place(*m_wanted));
  Q_EMIT drawn();
}

}  // namespace plastiscope
