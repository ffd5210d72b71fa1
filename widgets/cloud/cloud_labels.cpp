#include "widgets/cloud/cloud_labels.h"

#include <QComboBox>
#include <QFontMetrics>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr double kShortestTitled = 14;  // pixels: a shorter axis, pointing at the viewer, has no title
constexpr double kPixelsPerTick = 38;   // minimum distance of ticks
constexpr double kTickLength = 4, kOverlayGap = 3, kEdge = 3;
constexpr double kOutlineSlack = 0.01;  // pixels
constexpr double kSmallest = 240;       // pixels; below this size no orientation marker
constexpr double kMaxShift = 24;        // maximum pixels by which a title is moved into the view
constexpr double kMarkerSize = 24, kMarkerMargin = 38;

// An edge of the box on the screen, with the direction away from the box.
struct Edge {
  QPointF low, high, outward;
  double length() const { return std::hypot(high.x() - low.x(), high.y() - low.y()); }
  QPointF at(double share) const { return low + (high - low) * share; }
};

QPointF screen(const SceneView& view, const ScenePoint& point) {
  const auto place = view.project(point);
  return place ? QPointF(place->x, place->y) : QPointF(-1e4, -1e4);
}

double dot(const QPointF& a, const QPointF& b) {
  return QPointF::dotProduct(a, b);
}

Edge edgeOf(const OverlayScene& scene, std::size_t axis, double firstSign, double secondSign) {
  const std::size_t first = (axis + 1) % 3, second = (axis + 2) % 3;
  ScenePoint point{};
  point[first] = firstSign * scene.axes[first].half;
  point[second] = secondSign * scene.axes[second].half;
  point[axis] = -scene.axes[axis].half;
  Edge edge;
  edge.low = screen(scene.view, point);
  point[axis] = scene.axes[axis].half;
  edge.high = screen(scene.view, point);
  const QPointF along = edge.high - edge.low;
  const QPointF away = edge.at(0.5) - screen(scene.view, {0, 0, 0});
  const double length = std::max(1e-9, edge.length());
  edge.outward = QPointF(-along.y(), along.x()) / length;
  if (dot(edge.outward, away) < 0) edge.outward = -edge.outward;
  return edge;
}

bool isUpright(const Edge& edge) {
  const QPointF along = edge.high - edge.low;
  return std::abs(along.y()) > 2 * std::abs(along.x());
}

// True if all corners of the box are on one side of the edge, on the screen.
bool isOutline(const Edge& edge, const std::array<QPointF, 8>& corners) {
  return std::all_of(corners.begin(), corners.end(), [&](const QPointF& corner) {
    return dot(corner - edge.low, edge.outward) <= kOutlineSlack;
  });
}

std::array<QPointF, 8> cornersOf(const OverlayScene& scene) {
  std::array<QPointF, 8> corners;
  for (std::size_t bits = 0; bits < corners.size(); ++bits) {
    ScenePoint point{};
    for (std::size_t i = 0; i < 3; ++i) point[i] = (bits >> i & 1 ? 1 : -1) * scene.axes[i].half;
    corners[bits] = screen(scene.view, point);
  }
  return corners;
}

// Edges of an axis on the outline of the box, the lowest first; for an upright axis the left one.
std::vector<Edge> outlineEdges(const OverlayScene& scene, std::size_t axis,
                               const std::array<QPointF, 8>& corners) {
  std::vector<Edge> edges;
  for (const double first : {-1.0, 1.0}) {
    for (const double second : {-1.0, 1.0}) {
      const Edge edge = edgeOf(scene, axis, first, second);
      if (edge.length() >= kShortestTitled && isOutline(edge, corners)) edges.push_back(edge);
    }
  }
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& one, const Edge& other) {
    const QPointF a = one.at(0.5), b = other.at(0.5);
    return isUpright(one) ? a.x() < b.x() : a.y() > b.y();
  });
  return edges;
}

// Extent of a box of this size from its centre in `direction`.
double reach(const QSizeF& size, const QPointF& direction) {
  return 0.5 * (std::abs(direction.x()) * size.width() + std::abs(direction.y()) * size.height());
}

class Painter {
 public:
  Painter(QPainter& painter, const OverlayScene& scene, const PlotStyle& style)
      : m_painter(painter), m_scene(scene), m_style(style), m_metrics(style.label) {
    m_painter.setFont(style.label);
    m_painter.setRenderHint(QPainter::Antialiasing);
  }

  void paint() {
    if (std::min(m_scene.view.width, m_scene.view.height) >= kSmallest) paintMarker();
    paintNote();
    const std::array<QPointF, 8> corners = cornersOf(m_scene);
    for (std::size_t i = 0; i < 3; ++i) placeAxis(i, corners);
    for (std::size_t i = 0; i < 3; ++i) {
      if (m_edges[i]) paintTicks(*m_edges[i], m_scene.axes[i]);
    }
  }

 private:
  struct Tick {
    double share;
    QString text;
  };

  std::vector<Tick> ticks(const Edge& edge, const SceneAxis& axis) const {
    const auto values = axisTicks(axis.low, axis.high, static_cast<int>(edge.length() / kPixelsPerTick));
    const double step = values.size() > 1 ? values[1] - values[0] : std::abs(values.empty() ? 0 : values[0]);
    std::vector<Tick> found;
    for (const double value : values) {
      found.push_back(
          {(value - axis.low) / (axis.high - axis.low), QString::fromStdString(tickText(axis, value, step))});
    }
    return found;
  }

  QSizeF sizeOf(const QString& text) const {
    return {m_metrics.horizontalAdvance(text), m_metrics.height() - 2};
  }

  QRectF inside(QRectF box) const {
    const double right = m_scene.view.width - kEdge, bottom = m_scene.view.height - kEdge;
    if (box.right() > right) box.moveRight(right);
    if (box.bottom() > bottom) box.moveBottom(bottom);
    if (box.left() < kEdge) box.moveLeft(kEdge);
    if (box.top() < kEdge) box.moveTop(kEdge);
    return box;
  }

  bool isFree(const QRectF& box) const {
    return std::none_of(m_taken.begin(), m_taken.end(),
                        [&box](const QRectF& other) { return other.intersects(box); });
  }

  QRectF boxAt(const QPointF& centre, const QSizeF& size) const {
    return {centre.x() - size.width() / 2, centre.y() - size.height() / 2, size.width(), size.height()};
  }

  void write(const QRectF& box, const QString& text, const QColor& colour, bool upwards = false) {
    m_painter.save();
    m_painter.setPen(colour);
    m_painter.translate(box.center());
    if (upwards) m_painter.rotate(-90);
    const QSizeF size = upwards ? box.size().transposed() : box.size();
    m_painter.drawText(boxAt({0, 0}, size), Qt::AlignCenter | Qt::TextDontClip, text);
    m_painter.restore();
    m_taken.push_back(box);
  }

  // Place of an axis title beside one of its edges, beyond the tick numbers.
  QRectF titleBox(const Edge& edge, const SceneAxis& axis, const QString& text) const {
    double numbers = 0;
    for (const Tick& tick : ticks(edge, axis))
      numbers = std::max(numbers, 2 * reach(sizeOf(tick.text), edge.outward));
    const QSizeF size = isUpright(edge) ? sizeOf(text).transposed() : sizeOf(text);
    const double away = kTickLength + 2 * kOverlayGap + numbers + reach(size, edge.outward);
    return boxAt(edge.at(0.5) + edge.outward * away, size);
  }

  // Chooses the edge with space for the axis title, which also gets the numbers.
  void placeAxis(std::size_t axis, const std::array<QPointF, 8>& corners) {
    const std::vector<Edge> edges = outlineEdges(m_scene, axis, corners);
    if (edges.empty()) return;
    m_edges[axis] = edges[0];
    const QString text = QString::fromStdString(m_scene.axes[axis].title);
    for (const Edge& edge : edges) {
      const QRectF wanted = titleBox(edge, m_scene.axes[axis], text), box = inside(wanted);
      const QPointF shift = box.center() - wanted.center();
      if (std::hypot(shift.x(), shift.y()) > kMaxShift || !isFree(box)) continue;
      m_edges[axis] = edge;
      return write(box, text, m_style.colours.text, isUpright(edge));
    }
  }

  void paintTicks(const Edge& edge, const SceneAxis& axis) {
    for (const Tick& tick : ticks(edge, axis)) {
      const QPointF foot = edge.at(tick.share);
      m_painter.setPen(m_style.colours.muted);
      m_painter.drawLine(foot, foot + edge.outward * kTickLength);
      const QSizeF size = sizeOf(tick.text);
      const QRectF box =
          boxAt(foot + edge.outward * (kTickLength + kOverlayGap + reach(size, edge.outward)), size);
      if (inside(box) == box && isFree(box)) write(box, tick.text, m_style.colours.muted);
    }
  }

  // Draws the three directions at the bottom left; those pointing at the viewer are in front.
  void paintMarker() {
    const QPointF centre(kMarkerMargin, m_scene.view.height - kMarkerMargin);
    std::array<std::size_t, 3> order{0, 1, 2};
    const auto& directions = m_scene.view.directions;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return directions[a].depth < directions[b].depth; });
    for (const std::size_t i : order) {
      const QPointF way(directions[i].x, -directions[i].y);
      const double length = std::hypot(way.x(), way.y());
      QColor colour = m_style.colours.text;
      if (directions[i].depth < 0) colour = m_style.colours.muted;
      m_painter.setPen(QPen(colour, 1.6));
      m_painter.drawLine(centre, centre + way * kMarkerSize);
      if (length < 0.25) continue;
      const QString text = QString::fromStdString(m_scene.axes[i].label);
      const QPointF beyond = way / length;
      const QPointF place = centre + way * kMarkerSize + beyond * (2 + reach(sizeOf(text), beyond));
      m_painter.drawText(boxAt(place, sizeOf(text)), Qt::AlignCenter | Qt::TextDontClip, text);
    }
    m_taken.push_back(boxAt(centre, {2 * kMarkerMargin - 2 * kEdge, 2 * kMarkerMargin - 2 * kEdge}));
  }

  void paintNote() {
    const QSizeF size = sizeOf(m_scene.note);
    const QRectF box(m_scene.view.width - size.width() - 8, 4, size.width(), size.height());
    if (!m_scene.note.isEmpty()) write(box, m_scene.note, m_style.colours.muted);
  }

  QPainter& m_painter;
  const OverlayScene& m_scene;
  const PlotStyle& m_style;
  QFontMetricsF m_metrics;
  std::array<std::optional<Edge>, 3> m_edges;  // edges with titles and numbers
  std::vector<QRectF> m_taken;
};

}  // namespace

void paintOverlay(QPainter& painter, const OverlayScene& scene, const PlotStyle& style) {
  Painter(painter, scene, style).paint();
}

CloudOverlay::CloudOverlay(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
}

void CloudOverlay::setScene(OverlayScene scene) {
  m_scene = std::move(scene);
  update();
}

void CloudOverlay::setStyle(const PlotStyle& style) {
  m_style = style;
  update();
}

void CloudOverlay::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  if (m_scene.view.width > 0) paintOverlay(painter, m_scene, m_style);
}

// "Q [ramp] K [ramp] position 0 … 4,095", cut from the right when space is short.
class RampLegend : public QWidget {
 public:
  explicit RampLegend(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  }

  void setStyle(const PlotStyle& style) {
    m_style = style;
    updateGeometry();
    update();
  }

  void setWindow(std::int64_t window) {
    m_window = window;
    updateGeometry();
    update();
  }

  QSize sizeHint() const override { return sizeWith(positions(), 2); }
  QSize minimumSizeHint() const override { return sizeWith({}, 1); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setFont(m_style.tick);
    const QFontMetrics metrics(m_style.tick);
    int x = 0;
    const auto write = [&](const QString& text, const QColor& colour) {
      const int textWidth = metrics.horizontalAdvance(text);
      if (x + textWidth > width()) return;
      painter.setPen(colour);
      painter.drawText(QRect(x, 0, textWidth, height()), Qt::AlignVCenter | Qt::TextDontClip, text);
      x += textWidth;
    };
    const auto ramp = [&](const QString& letter, const QColor& colour, const std::array<QColor, 4>& colours) {
      write(letter, colour);
      const QRect box(x + kGap, (height() - kRampHeight) / 2, kRampWidth, kRampHeight);
      QLinearGradient gradient(box.topLeft(), box.topRight());
      for (std::size_t i = 0; i < colours.size(); ++i)
        gradient.setColorAt(static_cast<double>(i) / 3, colours[i]);
      painter.fillRect(box, gradient);
      x = box.right() + 1 + kBetween;
    };
    ramp(QStringLiteral("Q"), m_style.colours.query, m_style.colours.queryRamp);
    ramp(QStringLiteral("K"), m_style.colours.key, m_style.colours.keyRamp);
    write(positions(), m_style.colours.text);
  }

 private:
  static constexpr int kRampWidth = 36, kRampHeight = 8, kGap = 6, kBetween = 10;

  QString positions() const {
    return m_window < 1 ? QString() : CloudBar::tr("position 0 \u2026 %1").arg(groupedText(m_window - 1));
  }

  QSize sizeWith(const QString& text, int between) const {
    const QFontMetrics metrics(m_style.tick);
    return {
        metrics.horizontalAdvance(QStringLiteral("QK") + text) + 2 * (kRampWidth + kGap) + between * kBetween,
        metrics.height() + 4};
  }

  PlotStyle m_style;
  std::int64_t m_window = 0;
};

CloudBar::CloudBar(QWidget* parent)
    : QWidget(parent),
      m_legend(new RampLegend(this)),
      m_frames(new QComboBox(this)),
      m_perspective(new QToolButton(this)),
      m_reset(new QToolButton(this)) {
  explain(*m_frames, tr("Axes of the cloud"), tr("The three axes of the cloud"));
  m_perspective->setText(tr("Perspective"));
  m_perspective->setCheckable(true);
  m_perspective->setAutoRaise(true);
  m_perspective->setToolTip(tr(
      "Perspective projection: distant points look smaller. Off: orthographic, equal distances look equal."));
  m_reset->setIcon(lineIcon(QStringLiteral("reset")));
  m_reset->setAutoRaise(true);
  explain(*m_reset, tr("Reset view"), tr("Show the whole cloud again (Home)"));

  rowIn(this, {{m_legend, 1}, m_frames, m_perspective, m_reset}, {.margins = {8, 4, 4, 0}, .spacing = 6});

  connect(m_frames, &QComboBox::activated, this,
          [this](int index) { Q_EMIT frameChosen(m_frames->itemData(index).toString()); });
  connect(m_perspective, &QToolButton::toggled, this, &CloudBar::perspectiveChosen);
  connect(m_reset, &QToolButton::clicked, this, &CloudBar::resetWanted);
}

// A narrow panel hides the choices, which are in the context menu too, before the legend.
void CloudBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int others = m_frames->sizeHint().width() + m_reset->sizeHint().width() + 40;
  m_perspective->setVisible(width() >=
                            m_legend->sizeHint().width() + m_perspective->sizeHint().width() + others);
}

void CloudBar::setStyle(const PlotStyle& style) {
  m_legend->setStyle(style);
}

void CloudBar::showData(const CloudData& cloud, std::size_t frame) {
  m_legend->setWindow(cloud.window);
  m_frames->clear();
  for (const CloudFrame& choice : cloud.frames) {
    m_frames->addItem(QString::fromStdString(choice.title), QString::fromStdString(choice.id));
  }
  m_frames->setCurrentIndex(static_cast<int>(frame));
  m_frames->setEnabled(cloud.frames.size() > 1);
}

void CloudBar::showPerspective(bool on) {
  const QSignalBlocker quiet(m_perspective);
  m_perspective->setChecked(on);
}

}  // namespace plastiscope

#include "moc_cloud_labels.cpp"
