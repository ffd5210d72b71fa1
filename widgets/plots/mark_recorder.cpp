#include "widgets/plots/mark_recorder.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextItem>
#include <cmath>

namespace plastiscope {

namespace {
constexpr double kUnitMillimetres = 25.4 / (72 * kUnitsPerPoint);
constexpr double kSameBox = 3;  // units: QCustomPlot clips one pixel beside the box
}  // namespace

// Painting on axes is cut at their box; all else may stand anywhere.
int MarkRecorder::panelOfClip() const {
  const QRectF clip = state->transform().mapRect(painter()->clipBoundingRect());
  for (std::size_t i = 0; i < m_figure.panels.size(); ++i) {
    const QRectF& box = m_figure.panels[i].box;
    const bool same = std::abs(box.left() - clip.left()) <= kSameBox &&
                      std::abs(box.top() - clip.top()) <= kSameBox &&
                      std::abs(box.right() - clip.right()) <= kSameBox &&
                      std::abs(box.bottom() - clip.bottom()) <= kSameBox;
    if (painter()->hasClipping() && same) return static_cast<int>(i);
  }
  return -1;
}

void MarkRecorder::add(const QPainterPath& path, bool filled) {
  RecordedMark mark;
  mark.path = state->transform().map(path);
  mark.pen = state->pen();
  if (filled && state->brush().style() != Qt::NoBrush) mark.fill = state->brush().color();
  if (mark.pen.style() == Qt::NoPen && !mark.fill.isValid()) return;
  mark.panel = panelOfClip();
  m_figure.marks.push_back(std::move(mark));
}

void MarkRecorder::drawPath(const QPainterPath& path) {
  add(path, true);
}

void MarkRecorder::drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) {
  QPainterPath path(points[0]);
  for (int i = 1; i < count; ++i) path.lineTo(points[i]);
  if (mode != PolylineMode) path.closeSubpath();
  add(path, mode != PolylineMode);
}

void MarkRecorder::drawImage(const QRectF& rect, const QImage& image, const QRectF& source,
                             Qt::ImageConversionFlags) {
  RecordedMark mark;
  mark.imageRect = state->transform().mapRect(rect);
  mark.image = image.copy(source.toAlignedRect());
  mark.panel = panelOfClip();
  m_figure.marks.push_back(std::move(mark));
}

void MarkRecorder::drawPixmap(const QRectF& rect, const QPixmap& pixmap, const QRectF& source) {
  drawImage(rect, pixmap.toImage(), source, Qt::AutoColor);
}

void MarkRecorder::drawTextItem(const QPointF& at, const QTextItem& item) {
  const QTransform& transform = state->transform();
  const QPointF start = transform.map(at);
  const QFont font = item.font();
  const double size = font.pixelSize() > 0 ? font.pixelSize() : font.pointSizeF();
  TextRun run{item.text(), size, 0, font.bold(), font.italic()};
  const double angle = std::atan2(transform.m12(), transform.m11()) * 180 / M_PI;
  RecordedMark* last = m_figure.marks.empty() ? nullptr : &m_figure.marks.back();
  const QPointF along(std::cos(angle * M_PI / 180), std::sin(angle * M_PI / 180));
  const QPointF gap = start - m_textEnd;
  const double ahead = QPointF::dotProduct(gap, along),
               above = QPointF::dotProduct(gap, QPointF(along.y(), -along.x()));
  const bool goesOn = last != nullptr && !last->text.empty() && last->angle == angle &&
                      std::abs(ahead) < 0.15 * size && std::abs(above) < size;
  if (goesOn) {
    run.rise = last->text.back().rise + above;
    last->text.push_back(run);
  } else {
    RecordedMark mark;
    mark.text = {run};
    mark.at = start;
    mark.angle = angle;
    mark.pen = state->pen();
    m_figure.marks.push_back(std::move(mark));
  }
  m_textEnd = start + along * item.width();
}

int RecordingDevice::metric(PaintDeviceMetric metric) const {
  switch (metric) {
    case PdmWidth:
      return m_figure.units.width();
    case PdmHeight:
      return m_figure.units.height();
    case PdmDepth:
      return 32;
    case PdmNumColors:
      return 1 << 24;
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
      return 72 * kUnitsPerPoint;
    case PdmWidthMM:
      return static_cast<int>(m_figure.units.width() * kUnitMillimetres);
    case PdmHeightMM:
      return static_cast<int>(m_figure.units.height() * kUnitMillimetres);
    case PdmDevicePixelRatio:
      return 1;
    case PdmDevicePixelRatioScaled:
      return static_cast<int>(devicePixelRatioFScale());
    default:
      return QPaintDevice::metric(metric);
  }
}

}  // namespace plastiscope
