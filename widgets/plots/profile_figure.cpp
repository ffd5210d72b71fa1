#include "widgets/plots/profile_figure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/plots/panel.h"
#include "widgets/plots/published.h"
#include "widgets/plots/rasters.h"

namespace plastiscope {

namespace {

// Heads and bins above which the grey lines become an image in files too.
constexpr std::size_t kVectorSegmentLimit = 60000;

QPointF pointAt(const QCPAxisRect& rect, double x, double y) {
  return {rect.axis(QCPAxis::atBottom)->coordToPixel(x), rect.axis(QCPAxis::atLeft)->coordToPixel(y)};
}

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

// All heads as faint lines: an own raster on the screen, vectors in files up to a limit.
class HeadLines {
 public:
  HeadLines(std::shared_ptr<const ProfileField> field, const PlotStyle& style, QCPAxisRect& rect,
            std::shared_ptr<HeadLineCache> cache)
      : m_field(std::move(field)),
        m_style(style),
        m_rect(&rect),
        m_cache(cache != nullptr ? std::move(cache) : std::make_shared<HeadLineCache>()) {}

  void operator()(QCPPainter& painter) const {
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

 private:
  std::shared_ptr<const ProfileField> m_field;
  PlotStyle m_style;
  QCPAxisRect* m_rect;
  std::shared_ptr<HeadLineCache> m_cache;
};

// The stretch before the first and after the last bin that has any value.
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
    drawHatch(painter, strip, style.u(style.print ? 3 : 6),
              pen(style.colours.grid.darker(115), style.thinWidth));
  }
}

// The chosen head: orange with a casing; bins with few pairs hollow on a pale line.
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

QPen meanPen(const PlotStyle& style) {
  return dashedPen(style.colours.text, style.lineWidth, 3.2, 2.0);
}

const GhostCurve* shownCurve(const ProfileOptions& options, GhostCurve PublishedProfile::* which) {
  if (options.published == nullptr || ((*options.published).*which).empty()) return nullptr;
  return &((*options.published).*which);
}

LegendEntry intervalEntry(const PlotStyle& style) {
  return lineEntry(QStringLiteral("95\u2009% of resamples"), pen(style.colours.text, style.thinWidth));
}

std::vector<LegendEntry> profileLegend(const ProfileData& data, const PlotStyle& style,
                                       const ProfileOptions& options) {
  const ProfileField& field = *data.field;
  const GhostCurve* published = shownCurve(options, &PublishedProfile::profile);
  std::vector<LegendEntry> legend;
  bool few = false;
  if (data.chosen) {
    legend.push_back(linePointEntry(QString::fromStdString(field.heads[*data.chosen].text()),
                                    pen(style.colours.selection, style.lineWidth), style.colours.selection,
                                    style.pointSize));
    for (std::size_t b = 0; b < field.bins(); ++b) {
      const std::size_t index = field.index(*data.chosen, b);
      few = few || (std::isfinite(field.ap[index]) && field.pairs[index] < ProfileData::kFewPairs);
    }
  }
  const QString of =
      field.scopeText == "all heads" ? QString() : " of " + QString::fromStdString(field.scopeText);
  legend.push_back(lineEntry(
      QStringLiteral("mean of %1 heads").arg(numberLabel(static_cast<double>(field.heads.size()), 0)) + of,
      meanPen(style)));
  if (published != nullptr) legend.push_back(publishedEntry(*published, style));
  QColor grey = style.colours.otherHeads;
  grey.setAlphaF(0.8F);
  legend.push_back(lineEntry(QStringLiteral("heads"), pen(grey, style.thinWidth)));
  if (few) {
    legend.push_back(pointEntry(QStringLiteral("< %1 pairs").arg(ProfileData::kFewPairs), style.colours.view,
                                pen(style.colours.selection, 0.75 * style.lineWidth), style.pointSize));
  }
  if (options.parts == ProfileParts::Both && shownIntervals(data)) legend.push_back(intervalEntry(style));
  return legend;
}

QCPAxisRect& addProfile(const FigurePlace& place, int row, const ProfileData& data, const PlotStyle& style,
                        const ProfileOptions& options) {
  const auto range = options.range.value_or(std::pair{0.0, 1.0});
  const auto field = data.field;
  QCPAxisRect& rect =
      addPanel(place, row + 1, 0, style,
               {Frame::Box,
                true,
                true,
                QStringLiteral("query position (tokens)"),
                QStringLiteral("plasticity AP|AP"),
                {},
                TokenTicker::text(static_cast<double>(field->window), static_cast<double>(field->window))});
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  x.setTicker(QSharedPointer<TokenTicker>::create(x));
  y.setTicker(QSharedPointer<NumberTicker>::create(y));
  x.setRange(0, static_cast<double>(std::max<std::int64_t>(1, field->window)));
  y.setRange(range.first, range.second);
  const std::vector<double> shown =
      data.chosen ? std::vector<double>(
                        field->ap.begin() + static_cast<std::ptrdiff_t>(*data.chosen * field->bins()),
                        field->ap.begin() + static_cast<std::ptrdiff_t>((*data.chosen + 1) * field->bins()))
                  : field->mean;
  new PaintedLayer(rect, "grid", Clip::AxisRect, [field, shown, &rect, style](QCPPainter& p) {
    drawMissing(p, *field, shown, rect, style);
  });
  new PaintedLayer(rect, "main", Clip::AxisRect, HeadLines(field, style, rect, options.lines));
  const GhostCurve* published = shownCurve(options, &PublishedProfile::profile);
  new PaintedLayer(
      rect, "marks", Clip::AxisRect, [field, data, style, options, published, &rect](QCPPainter& painter) {
        const auto toTokens = [&field](double share) { return share * static_cast<double>(field->window); };
        if (published != nullptr) drawPublished(painter, rect, *published, toTokens, style);
        const auto mean = piecesOf(rect, *field, field->mean.data());
        drawPieces(painter, rect.rect(), mean, casedPen(style, meanPen(style)));
        drawPieces(painter, rect.rect(), mean, meanPen(style));
        if (data.chosen) drawChosen(painter, data, rect, style);
      });
  addLegend(place, row, 0, style, rect, profileLegend(data, style, options));
  return rect;
}

// The published value of a fifth (from 0), missing where there is none.
double publishedAt(const GhostCurve* published, int fifth) {
  for (std::size_t i = 0; published != nullptr && i < published->x.size(); ++i) {
    if (published->x[i] == fifth + 1) return published->y[i];
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// From low to high with a short cap at each end; the upper end.
double drawInterval(QCPPainter& painter, const QCPAxisRect& rect, int fifth, double low, double high,
                    const PlotStyle& style) {
  const QPointF top = pointAt(rect, fifth, high), bottom = pointAt(rect, fifth, low);
  const double cap = style.u(style.print ? 1.6 : 3);
  for (const QPen& line : {casedPen(style, pen(style.colours.text, style.thinWidth)),
                           pen(style.colours.text, style.thinWidth)}) {
    painter.setPen(line);
    painter.drawLine(QLineF(top, bottom));
    for (const QPointF& end : {top, bottom})
      painter.drawLine(QLineF(end - QPointF(cap, 0), end + QPointF(cap, 0)));
  }
  return top.y();
}

// Bars of the head with the mean over heads as a dashed line, or bars of the mean alone.
void drawBars(QCPPainter& painter, const ProfileData& data, const QCPAxisRect& rect, const PlotStyle& style,
              const GhostCurve* published) {
  const ProfileField& field = *data.field;
  const Fifths& bars = shownQuintiles(data);
  const FifthIntervals* intervals = shownIntervals(data);
  const QColor fill = data.chosen ? style.colours.selection : style.colours.bars;
  painter.setFont(style.number);
  const double line = QFontMetricsF(style.number).height();
  const double base = std::max(0.0, rect.axis(QCPAxis::atLeft)->range().lower);
  for (int k = 0; k < 5; ++k) {
    const double value = bars[static_cast<std::size_t>(k)],
                 mean = field.quintileMean[static_cast<std::size_t>(k)];
    const double left = pointAt(rect, k - 0.31, 0).x(), right = pointAt(rect, k + 0.31, 0).x();
    double top = pointAt(rect, k, base).y();
    if (std::isfinite(value)) {
      QRectF bar(QPointF(left, pointAt(rect, k, value).y()), QPointF(right, pointAt(rect, k, base).y()));
      bar &= QRectF(rect.rect());
      painter.setPen(Qt::NoPen);
      painter.setBrush(fill);
      painter.drawRect(bar);
      top = bar.top();
    }
    if (const double level = publishedAt(published, k); std::isfinite(level)) {
      const double y = pointAt(rect, k, level).y(), reach = 0.16 * (right - left);
      drawPublishedLevel(painter, left - reach, right + reach, y, style);
      if (y < top && top - y < 1.3 * line) top = y - style.u(1);
    }
    if (data.chosen && std::isfinite(mean)) {
      const double y = pointAt(rect, k, mean).y(), reach = 0.16 * (right - left);
      painter.setPen(casedPen(style, meanPen(style)));
      painter.drawLine(QLineF(left - reach, y, right + reach, y));
      painter.setPen(meanPen(style));
      painter.drawLine(QLineF(left - reach, y, right + reach, y));
      // The number stands above whatever reaches higher, unless the mean is far above the bar.
      if (y < top && top - y < 1.3 * line) top = y - style.u(1);
    }
    const auto at = static_cast<std::size_t>(k);
    if (intervals && std::isfinite(intervals->low[at]) && std::isfinite(intervals->high[at])) {
      const double end = drawInterval(painter, rect, k, intervals->low[at], intervals->high[at], style);
      top = std::min(top, end - style.u(1));
    }
    const QString text = std::isfinite(value) ? numberLabel(value, 3) : QStringLiteral("\u2013");
    painter.setPen(style.colours.text);
    painter.drawText(
        QRectF(left - line * 2, top - line - style.u(style.print ? 0.6 : 1), right - left + line * 4, line),
        Qt::AlignHCenter | Qt::AlignBottom | Qt::TextDontClip, text);
  }
}

QCPAxisRect& addQuintiles(const FigurePlace& place, int row, const ProfileData& data, const PlotStyle& style,
                          const ProfileOptions& options) {
  const bool alone = options.parts == ProfileParts::Quintiles;
  QCPAxisRect& rect =
      addPanel(place, row + (alone ? 1 : 0), 0, style,
               {style.print ? Frame::LeftBottom : Frame::Box,
                false,
                true,
                alone ? QStringLiteral("query position, fifth of the window|fifth of the window") : QString(),
                alone ? QStringLiteral("mean attention plasticity|mean plasticity|mean AP")
                      : QStringLiteral("mean AP"),
                {}});
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  QStringList names;
  for (int k = 0; k < 5; ++k) names.append(QStringLiteral("%1\u2013%2\u2009%").arg(20 * k).arg(20 * (k + 1)));
  x.setTicker(QSharedPointer<NameTicker>::create(x, QVector<double>{0, 1, 2, 3, 4}, names));
  x.setTickLength(0, 0);
  y.setTicker(QSharedPointer<NumberTicker>::create(y));
  x.setRange(-0.55, 4.55);
  const FifthIntervals* intervals = shownIntervals(data);
  double highest = 0;
  for (const Fifths* values : {&shownQuintiles(data), &data.field->quintileMean,
                               intervals ? &intervals->high : &data.field->quintileMean}) {
    for (const double value : *values) highest = std::isfinite(value) ? std::max(highest, value) : highest;
  }
  // Room for the numbers above the bars; the same full scale wherever it suffices.
  const double full = alone ? 1.0 : 1.12;
  const auto range = options.range.value_or(std::pair{0.0, std::max(full, highest * 1.15)});
  y.setRange(range.first, range.second);
  const GhostCurve* published = shownCurve(options, &PublishedProfile::quintiles);
  new PaintedLayer(rect, "main", Clip::AxisRect,
                   [data, style, options, published, &rect](QCPPainter& painter) {
                     drawBars(painter, data, rect, style, published);
                   });
  if (!alone) return rect;
  const ProfileField& field = *data.field;
  std::vector<LegendEntry> legend;
  if (data.chosen) {
    legend.push_back(boxEntry(QString::fromStdString(field.heads[*data.chosen].text()),
                              style.colours.selection, Qt::NoPen));
  }
  const QString of =
      field.scopeText == "all heads" ? QString() : " of " + QString::fromStdString(field.scopeText);
  const QString mean =
      QStringLiteral("mean of %1 heads").arg(numberLabel(static_cast<double>(field.heads.size()), 0)) + of;
  legend.push_back(data.chosen ? lineEntry(mean, meanPen(style))
                               : boxEntry(mean, style.colours.bars, Qt::NoPen));
  if (published != nullptr) legend.push_back(publishedLevelEntry(*published, style));
  if (intervals != nullptr) legend.push_back(intervalEntry(style));
  addLegend(place, row, 0, style, rect, legend);
  return rect;
}

}  // namespace

void buildProfile(const FigurePlace& place, const ProfileData& data, const PlotStyle& style,
                  const ProfileOptions& options) {
  place.clear(style);
  if (options.parts == ProfileParts::Quintiles) {
    addQuintiles(place, 0, data, style, options);
    return;
  }
  QCPAxisRect& profile = addProfile(place, 0, data, style, options);
  if (options.parts == ProfileParts::Profile) return;
  QCPAxisRect& quintiles = addQuintiles(place, 2, data, style, options);
  auto* group = new QCPMarginGroup(&place.plot());
  for (QCPAxisRect* rect : {&profile, &quintiles}) rect->setMarginGroup(QCP::msLeft | QCP::msRight, group);
  place.grid().setRowStretchFactor(1, 2.1);
  place.grid().setRowStretchFactor(2, 1);
}

}  // namespace plastiscope
