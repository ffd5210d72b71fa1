#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "widgets/plots/interval_marks.h"
#include "widgets/plots/profile_parts.h"
#include "widgets/plots/published.h"
#include "widgets/plots/series_look.h"

namespace plastiscope {

namespace {

// The published value of a fifth (from 0), missing where there is none.
double publishedQuintile(const GhostCurve* published, int fifth) {
  for (std::size_t i = 0; published != nullptr && i < published->x.size(); ++i) {
    if (published->x[i] == fifth + 1) return published->y[i];
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// Behind the dashed level of the mean.
void drawMeanBand(QCPPainter& painter, const QCPAxisRect& rect, int fifth, const FifthIntervals& intervals,
                  const PlotStyle& style) {
  const auto k = static_cast<std::size_t>(fifth);
  constexpr double kReach = 0.31 * 1.32;  // as far as the level
  drawBand(painter, rect, {fifth - kReach, fifth + kReach}, std::vector<double>(2, intervals.low[k]),
           std::vector<double>(2, intervals.high[k]), style.colours.text, style);
}

// Bars of the head with the mean over heads as a dashed line, or bars of the mean alone.
void drawBars(QCPPainter& painter, const ProfileData& data, const QCPAxisRect& rect, const PlotStyle& style,
              const ProfileOptions& options, const GhostCurve* published,
              const std::optional<FifthIntervals>& ofMean) {
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
    if (const double level = publishedQuintile(published, k); std::isfinite(level)) {
      const double y = pointAt(rect, k, level).y(), reach = 0.16 * (right - left);
      drawPublishedLevel(painter, left - reach, right + reach, y, style);
      if (y < top && top - y < 1.3 * line) top = y - style.u(1);
    }
    if (data.chosen && std::isfinite(mean)) {
      const double y = pointAt(rect, k, mean).y(), reach = 0.16 * (right - left);
      if (ofMean) drawMeanBand(painter, rect, k, *ofMean, style);
      painter.setPen(casedPen(style, meanPen(style)));
      painter.drawLine(QLineF(left - reach, y, right + reach, y));
      painter.setPen(meanPen(style));
      painter.drawLine(QLineF(left - reach, y, right + reach, y));
      // The number stands above whatever reaches higher, unless the mean is far above the bar.
      if (y < top && top - y < 1.3 * line) top = y - style.u(1);
    }
    const auto at = static_cast<std::size_t>(k);
    if (intervals && std::isfinite(intervals->low[at]) && std::isfinite(intervals->high[at])) {
      const double end = drawWhisker(painter, rect, (left + right) / 2,
                                     {intervals->low[at], intervals->high[at]}, style.colours.text, style);
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
  std::optional<FifthIntervals> ofMean;
  if (data.chosen && options.intervals) ofMean = intervalsOverHeads(data.field->quintiles);
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
                   [data, style, options, published, ofMean, &rect](QCPPainter& painter) {
                     drawBars(painter, data, rect, style, options, published, ofMean);
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
  if (ofMean) legend.push_back(bandEntry(intervalText(IntervalOver::Heads), style.colours.text, style));
  if (published != nullptr)
    legend.push_back(
        publishedLevelEntry(*published, otherWindowText(published->window, field.window), style));
  if (intervals != nullptr)
    legend.push_back(whiskerEntry(intervalText(shownIntervalsOver(data), field.examples), style));
  addWrappedLegend(place, row, 0, style, legend);
  return rect;
}

}  // namespace plastiscope
