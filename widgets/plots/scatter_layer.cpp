#include "widgets/plots/scatter_layer.h"

#include <QtConcurrent/QtConcurrentRun>

#include <algorithm>
#include <cmath>

namespace plastiscope {

namespace {

constexpr int kRampSteps = 64;

// Early to late.
std::vector<QRgb> rampOf(const std::array<QColor, 4>& colours, int steps) {
  std::vector<QRgb> ramp;
  for (int i = 0; i < steps; ++i) ramp.push_back(rampColour(colours, i / std::max(1.0, steps - 1.0)).rgb());
  return ramp;
}

std::vector<QRgb> coloursOf(const CloudMark& cloud, QueryOrKey kind, const PlotStyle& style) {
  const auto& early = kind == QueryOrKey::Query ? style.colours.queryRamp : style.colours.keyRamp;
  if (!cloud.colouring) return rampOf(early, kRampSteps);
  if (cloud.colouring->classes.empty()) return rampOf(early, cloud.colouring->steps);
  std::vector<QRgb> colours;
  for (const RowClass& each : cloud.colouring->classes) colours.push_back(colourOf(each.colour, style).rgb());
  return colours;
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

ScatterPicture::ScatterPicture(CloudMark cloud, const PlotStyle& style)
    : m_cloud(std::move(cloud)),
      m_query(coloursOf(m_cloud, QueryOrKey::Query, style)),
      m_key(coloursOf(m_cloud, QueryOrKey::Key, style)) {
  // Smaller discs for more rows, so that structure stays visible.
  const auto points = static_cast<double>(data().query.size() + data().key.size());
  m_size = style.pointSize * std::clamp(std::pow(4000 / std::max(points, 1.0), 0.25), 0.25, 1.0);
}

PointBatch ScatterPicture::batch(QueryOrKey kind) const {
  const PlaneRows& rows = data().rows(kind);
  const auto& ramp = kind == QueryOrKey::Query ? m_query : m_key;
  if (!m_cloud.colouring) return {rows.x, rows.y, rows.position, ramp, data().window};
  const RowColouring& colouring = *m_cloud.colouring;
  return {rows.x, rows.y, colouring.of(kind), ramp, colouring.steps, hasClasses() && kind == QueryOrKey::Key};
}

// Draws keys and queries alternately, so that neither hides the other.
template <typename Draw>
void ScatterPicture::inTurns(Draw draw) const {
  constexpr std::size_t kTurns = 64;
  for (std::size_t turn = 0; turn < kTurns; ++turn) {
    for (const QueryOrKey kind : {QueryOrKey::Key, QueryOrKey::Query}) {
      const std::size_t rows = data().rows(kind).size();
      const std::size_t first = rows * turn / kTurns, end = rows * (turn + 1) / kTurns;
      if (first < end) draw(kind, first, end);
    }
  }
}

QImage ScatterPicture::points(QSize pixels, const PixelMap& map, double dots) const {
  QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  const std::array<PointBatch, 2> batches = {batch(QueryOrKey::Query), batch(QueryOrKey::Key)};
  inTurns([&](QueryOrKey kind, std::size_t first, std::size_t end) {
    PointBatch part = batches[kind == QueryOrKey::Query ? 0 : 1];
    part.x = part.x.subspan(first, end - first);
    part.y = part.y.subspan(first, end - first);
    part.position = part.position.subspan(first, end - first);
    drawPoints(image, part, map, m_size / 2 * dots);
  });
  return image;
}

QImage ScatterPicture::density(QSize pixels, const PixelMap& map) const {
  const std::array<PointBatch, 2> batches = {batch(QueryOrKey::Query), batch(QueryOrKey::Key)};
  if (!hasClasses()) return drawDensity(pixels, batches, map);
  // One batch per class: a mean over classes would give a colour of none.
  const std::size_t classes = m_cloud.colouring->classes.size();
  std::vector<std::vector<float>> x(classes), y(classes);
  std::vector<std::int32_t> anywhere(data().query.size() + data().key.size(), 0);
  for (const PointBatch& each : batches) {
    for (std::size_t i = 0; i < each.x.size(); ++i) {
      const auto place = static_cast<std::size_t>(each.position[i]);
      x[place].push_back(each.x[i]);
      y[place].push_back(each.y[i]);
    }
  }
  std::vector<PointBatch> apart;
  for (std::size_t i = 0; i < classes; ++i)
    apart.push_back({x[i], y[i], std::span(anywhere).first(x[i].size()), {m_query[i]}, 1});
  return drawDensity(pixels, apart, map);
}

void ScatterPicture::eachDisc(const QCPAxisRect& rect, const std::function<void(const Disc&)>& take) const {
  const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  const std::array<PointBatch, 2> batches = {batch(QueryOrKey::Query), batch(QueryOrKey::Key)};
  inTurns([&](QueryOrKey kind, std::size_t first, std::size_t end) {
    const PointBatch& rows = batches[kind == QueryOrKey::Query ? 0 : 1];
    const auto steps = static_cast<std::int64_t>(rows.ramp.size());
    for (std::size_t i = first; i < end; ++i) {
      if (!std::isfinite(rows.x[i])) continue;
      const QPointF at(x.coordToPixel(static_cast<double>(rows.x[i])),
                       y.coordToPixel(static_cast<double>(rows.y[i])));
      if (!QRectF(rect.rect()).contains(at)) continue;
      const auto step = std::clamp<std::int64_t>(rows.position[i] * steps / rows.window, 0, steps - 1);
      take({at, m_size, rows.ramp[static_cast<std::size_t>(step)], rows.rings});
    }
  });
}

// --- On the screen --------------------------------------------------------------------------------------

namespace {

// Share of the panel's size drawn beyond each edge, for panning.
constexpr double kMargin = 0.25;
// Fewer rows are drawn synchronously, exact to the pixel.
constexpr std::size_t kDrawnAtOnce = 20000;

QRectF widened(const QRectF& box) {
  return box.adjusted(-kMargin * box.width(), -kMargin * box.height(), kMargin * box.width(),
                      kMargin * box.height());
}

}  // namespace

ScatterLayer::ScatterLayer(QObject* parent) : QObject(parent) {
  connect(&m_watcher, &QFutureWatcher<Picture>::finished, this, &ScatterLayer::showDrawn);
}

void ScatterLayer::use(CloudMark cloud, const PlotStyle& style, bool density) {
  m_cloud = std::make_shared<const ScatterPicture>(std::move(cloud), style);
  m_density = density;
  m_picture = {};
  m_wanted.reset();
  ++m_generation;
}

ScatterLayer::Place ScatterLayer::placeOf(const QCPAxisRect& rect, const QRectF& box, double dots) {
  const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  return {(box.size() * dots).toSize(),
          {x.pixelToCoord(box.left()), x.pixelToCoord(box.right())},
          {y.pixelToCoord(box.bottom()), y.pixelToCoord(box.top())},
          dots};
}

// Current pixel position of an image's edges.
QRectF ScatterLayer::targetOf(const QCPAxisRect& rect, const Place& place) {
  const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  return {QPointF(x.coordToPixel(place.x.lower), y.coordToPixel(place.y.upper)),
          QPointF(x.coordToPixel(place.x.upper), y.coordToPixel(place.y.lower))};
}

void ScatterLayer::paint(QCPPainter& painter, const QCPAxisRect& rect) {
  if (!m_cloud) return;
  const std::size_t rows = m_cloud->data().query.size() + m_cloud->data().key.size();
  const double dots = painter.device()->devicePixelRatioF();
  if (rows <= kDrawnAtOnce && !m_density) {
    const QRectF box(rect.rect());
    const Place now = placeOf(rect, box, dots);
    if (m_picture.image.isNull() || m_picture.place != now)
      m_picture = {now, m_cloud->points(now.pixels, pixelMapOf(rect, box, dots), dots), m_generation};
    painter.drawImage(box, m_picture.image);
    return;
  }
  const Place now = placeOf(rect, widened(rect.rect()), dots);
  if (!m_picture.image.isNull()) {
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(targetOf(rect, m_picture.place), m_picture.image);
  }
  if (m_picture.image.isNull() || m_picture.place != now) request(now);
}

void ScatterLayer::request(const Place& place) {
  if (m_watcher.isRunning()) {
    m_wanted = place;  // only the latest request waits
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

void ScatterLayer::showDrawn() {
  Picture picture = m_watcher.result();
  if (picture.generation == m_generation) m_picture = std::move(picture);
  if (m_wanted) request(Place(*m_wanted));
  Q_EMIT drawn();
}

}  // namespace plastiscope

#include "moc_scatter_layer.cpp"
