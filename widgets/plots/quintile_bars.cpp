#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/plots/profile_parts.h"
#include "widgets/plots/published.h"

namespace plastiscope {

namespace {

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
              const ProfileOptions& options, const GhostCurve* published) {
  const ProfileField& field = *data.field;
  const Fifths& bars = shownQuintiles(data);
  const FifthIntervals* intervals = shownIntervals(data, options);
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

}  // namespace

const FifthIntervals* shownIntervals(const ProfileData& data, const ProfileOptions& options) {
  return options.intervals ? shownIntervals(data) : nullptr;
}

LegendEntry intervalEntry(const PlotStyle& style) {
  return lineEntry(QStringLiteral("95\u2009% of resamples"), pen(style.colours.text, style.thinWidth));
}

void setUpFifths(QCPAxis& x) {
  QStringList names;
  for (int k = 0; k < 5; ++k) names.append(QStringLiteral("%1\u2013%2\u2009%").arg(20 * k).arg(20 * (k + 1)));
  x.setTicker(QSharedPointer<NameTicker>::create(x, QVector<double>{0, 1, 2, 3, 4}, names));
  x.setTickLength(0, 0);
  x.setRange(-0.55, 4.55);
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
  setUpFifths(x);
  y.setTicker(QSharedPointer<NumberTicker>::create(y));
  const FifthIntervals* intervals = shownIntervals(data, options);
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
                     drawBars(painter, data, rect, style, options, published);
                   });
  if (!alone) return rect;
  const ProfileField& field = *data.field;
  std::vector<LegendEntry> legend;
  if (data.chosen) {
    legend.push_back(boxEntry(QString::fromStdString(field.heads[*data.chosen].text()),
                              style.colours.selection, Qt::NoPen));
  }
  const QString mean = meanText(field);
  legend.push_back(data.chosen ? lineEntry(mean, meanPen(style))
                               : boxEntry(mean, style.colours.bars, Qt::NoPen));
  if (published != nullptr) legend.push_back(publishedLevelEntry(*published, style));
  if (intervals != nullptr) legend.push_back(intervalEntry(style));
  addLegend(place, row, 0, style, rect, legend);
  return rect;
}

}  // namespace plastiscope
