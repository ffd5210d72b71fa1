#include <algorithm>
#include <cmath>

#include "widgets/plots/interval_marks.h"
#include "widgets/plots/profile_parts.h"
#include "widgets/plots/rasters.h"

namespace plastiscope {

namespace {

// Heads and bins above which the grey lines become an image in files too.
constexpr std::size_t kVectorSegmentLimit = 60000;

// Line pieces between missing values.
std::vector<QPolygonF> piecesOf(const QCPAxisRect& rect, const ProfileField& field, const double* values) {
  std::vector<QPolygonF> pieces(1);
  for (std::size_t b = 0; b < field.bins(); ++b) {
    if (std::isfinite(values[b])) {
      pieces.back().append(pointAt(rect, field.tau[b], values[b]));
    } else if (!pieces.back().isEmpty()) {
      pieces.emplace_back();
    }
  }
  return pieces;
}

void drawPieces(QCPPainter& painter, const QRectF& rect, const std::vector<QPolygonF>& pieces,
                const QPen& stroke) {
  painter.setPen(stroke);
  painter.setBrush(Qt::NoBrush);
  for (const QPolygonF& piece : pieces) {
    drawPolylineWithin(painter, rect, piece);
  }
}

}  // namespace

HeadLines::HeadLines(std::shared_ptr<const ProfileField> field, const PlotStyle& style, QCPAxisRect& rect,
                     std::shared_ptr<HeadLineCache> cache)
    : m_field(std::move(field)),
      m_style(style),
      m_rect(&rect),
      m_cache(cache != nullptr ? std::move(cache) : std::make_shared<HeadLineCache>()) {}

void HeadLines::operator()(QCPPainter& painter) const {
  const ProfileField& field = *m_field;
  if (isVector(painter) && field.ap.size() <= kVectorSegmentLimit) {
    // Qt's PDF writer turns faint lines into outlines; round joins would make those ten times as long.
    QPen line = pen(m_style.colours.otherHeads, m_style.thinWidth);
    line.setJoinStyle(Qt::BevelJoin);
    for (std::size_t head = 0; head < field.heads.size(); ++head) {
      drawPieces(painter, m_rect->rect(), piecesOf(*m_rect, field, field.ap.data() + head * field.bins()),
                 line);
    }
    return;
  }
  const double dots =
      isVector(painter) ? m_style.imageDpi / (72.0 * m_style.unit) : painter.device()->devicePixelRatioF();
  const QRect box = m_rect->rect();
  const QPointF origin = (pointAt(*m_rect, 0, 0) - box.topLeft()) * dots;
  const QPointF unit = (pointAt(*m_rect, 1, 1) - box.topLeft()) * dots - origin;
  const std::array<double, 5> place = {origin.x(), origin.y(), unit.x(), unit.y(), dots};
  const QSize size = (QSizeF(box.size()) * dots).toSize();
  const QRgb colour = m_style.colours.otherHeads.rgba();
  HeadLineCache& cache = *m_cache;
  if (cache.field != m_field || cache.place != place || cache.colour != colour ||
      cache.image.size() != size) {
    cache = {drawLines(size, field.tau, field.ap, {unit.x(), origin.x(), unit.y(), origin.y()}, colour,
                       m_style.thinWidth * dots),
             m_field, place, colour};
  }
  painter.setRenderHint(QPainter::LosslessImageRendering);
  painter.drawImage(QRectF(box), cache.image);
}

void drawMissing(QCPPainter& painter, const ProfileField& field, const std::vector<double>& values,
                 const QCPAxisRect& rect, const PlotStyle& style) {
  std::size_t b = 0;
  while (b < field.bins()) {
    if (std::isfinite(values[b])) {
      ++b;
      continue;
    }
    const std::size_t first = b;
    while (b < field.bins() && !std::isfinite(values[b])) ++b;
    const double left = pointAt(rect, field.start[first], 0).x(),
                 right = pointAt(rect, field.end[b - 1], 0).x();
    const QRectF strip = QRectF(left, rect.top(), right - left, rect.height()) & QRectF(rect.rect());
    painter.fillRect(strip, style.colours.alternate);
    drawHatch(
        painter, strip, style.u(style.print ? 3 : 6),
        pen(style.theme == Theme::Dark ? style.colours.grid.lighter(150) : style.colours.grid.darker(115),
            style.thinWidth));
  }
}

void drawMean(QCPPainter& painter, const ProfileField& field, const QCPAxisRect& rect,
              const PlotStyle& style) {
  const auto pieces = piecesOf(rect, field, field.mean.data());
  drawPieces(painter, rect.rect(), pieces, casedPen(style, meanPen(style)));
  drawPieces(painter, rect.rect(), pieces, meanPen(style));
}

void drawChosen(QCPPainter& painter, const ProfileData& data, const QCPAxisRect& rect,
                const PlotStyle& style) {
  const ProfileField& field = *data.field;
  const std::size_t head = *data.chosen;
  const double* values = field.ap.data() + head * field.bins();
  const QPen line = pen(style.colours.selection, style.lineWidth);
  QColor pale = style.colours.selection;
  pale.setAlphaF(0.45F);
  const auto pieces = piecesOf(rect, field, values);
  drawPieces(painter, rect.rect(), pieces, casedPen(style, line));
  const auto few = [&](std::size_t b) { return field.pairs[field.index(head, b)] < ProfileData::kFewPairs; };
  for (std::size_t b = 1; b < field.bins(); ++b) {
    if (!std::isfinite(values[b - 1]) || !std::isfinite(values[b])) continue;
    painter.setPen(few(b - 1) || few(b) ? pen(pale, style.lineWidth) : line);
    drawLineWithin(painter, rect.rect(),
                   {pointAt(rect, field.tau[b - 1], values[b - 1]), pointAt(rect, field.tau[b], values[b])});
  }
  // Many bins: points would hide the line.
  const double apart = rect.width() / std::max(1.0, static_cast<double>(field.bins()));
  const double size = std::min(style.pointSize, 0.75 * apart) / 2;
  for (std::size_t b = 0; b < field.bins(); ++b) {
    if (!std::isfinite(values[b])) continue;
    const QPointF at = pointAt(rect, field.tau[b], values[b]);
    if (!QRectF(rect.rect()).contains(at)) continue;
    painter.setPen(few(b) ? pen(style.colours.selection, 0.75 * style.lineWidth) : QPen(Qt::NoPen));
    painter.setBrush(few(b) ? style.colours.view : style.colours.selection);
    painter.drawEllipse(at, size, size);
  }
}

void drawHeadBand(QCPPainter& painter, const ProfileData& data, const QCPAxisRect& rect,
                  const PlotStyle& style) {
  const ProfileField& field = *data.field;
  const auto of = [&](const std::vector<double>& ends) {
    const auto first = ends.begin() + static_cast<std::ptrdiff_t>(field.index(*data.chosen, 0));
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(field.bins()));
  };
  drawBand(painter, rect, field.tau, of(field.apLow), of(field.apHigh), style.colours.selection, style);
}

QPen meanPen(const PlotStyle& style) {
  return dashedPen(style.colours.text, style.lineWidth, 3.2, 2.0);
}

}  // namespace plastiscope
