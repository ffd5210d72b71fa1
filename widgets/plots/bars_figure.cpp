#include "widgets/plots/bars_figure.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "core/compare/trajectory_data.h"
#include "widgets/plots/interval_marks.h"
#include "widgets/plots/model_axis.h"
#include "widgets/plots/phase_lines.h"
#include "widgets/plots/series_look.h"

namespace plastiscope {

namespace {

constexpr double kWidth = 0.76;  // of all bars of a place

SeriesLook lookOf(const BarData& data, std::size_t series, std::size_t place, const PlotStyle& style) {
  const PlotColours& c = style.colours;
  if (data.colours == BarColours::Families) return familyLook(data.places[place].family, style);
  if (data.colours == BarColours::Kinds)
    return {series == 0 ? c.query : c.key, series == 0 ? Marker::Circle : Marker::Square, false, {}};
  return {c.bars, Marker::Ring, false, {}};
}

class BarPainter {
 public:
  BarPainter(const BarData& data, const PlotStyle& style, const QCPAxisRect& rect, bool intervals)
      : m_data(data), m_style(style), m_rect(&rect), m_intervals(intervals) {}

  void operator()(QCPPainter& painter) const {
    drawLevels(painter);
    const auto count = static_cast<double>(m_data.series.size());
    const double width = kWidth / count;
    for (std::size_t s = 0; s < m_data.series.size(); ++s) {
      for (std::size_t i = 0; i < m_data.places.size(); ++i) {
        const double left = static_cast<double>(i) - kWidth / 2 + static_cast<double>(s) * width;
        drawBar(painter, s, i, left, left + width);
      }
    }
    drawZero(painter);
  }

 private:
  double x(double value) const { return m_rect->axis(QCPAxis::atBottom)->coordToPixel(value); }
  double y(double value) const { return m_rect->axis(QCPAxis::atLeft)->coordToPixel(value); }

  void drawBar(QCPPainter& painter, std::size_t s, std::size_t i, double left, double right) const {
    const BarSeries& series = m_data.series[s];
    const double value = series.value[i];
    if (!std::isfinite(value)) return;
    const SeriesLook look = lookOf(m_data, s, i, m_style);
    const double gap = 0.03 * (x(right) - x(left));
    const QRectF bar = QRectF(QPointF(x(left) + gap, y(value)), QPointF(x(right) - gap, y(0))).normalized();
    QColor fill = look.colour;
    fill.setAlphaF(0.88F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRect(bar & QRectF(m_rect->rect()));
    if (m_data.colours != BarColours::Plain) drawFoot(painter, bar, look, value < 0);
    const bool quartiles = i < series.low.size();
    if (quartiles) drawQuartiles(painter, bar, series.low[i], series.high[i]);
    if (m_intervals && i < series.intervals.size() && series.intervals[i].known()) {
      const QColor& ink = m_style.colours.text;
      if (quartiles)
        drawInnerInterval(painter, *m_rect, bar.center().x(), series.intervals[i], ink, m_style);
      else
        drawWhisker(painter, *m_rect, bar.center().x(), series.intervals[i], ink, m_style);
    }
    if (m_data.percent) drawPercent(painter, bar, value);
  }

  // The mark that tells the colours apart without colour.
  void drawFoot(QCPPainter& painter, const QRectF& bar, const SeriesLook& look, bool below) const {
    const double size = std::min(1.3 * m_style.pointSize, 0.66 * bar.width());
    if (bar.height() < 2.2 * size) return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_style.colours.view);
    const QPointF at(bar.center().x(), below ? bar.top() + 1.1 * size : bar.bottom() - 1.1 * size);
    painter.drawPath(markerPath(look.marker, QRectF(at - QPointF(size / 2, size / 2), QSizeF(size, size))));
  }

  void drawQuartiles(QCPPainter& painter, const QRectF& bar, double low, double high) const {
    if (!std::isfinite(low) || !std::isfinite(high)) return;
    const double middle = bar.center().x(), cap = std::min(0.22 * bar.width(), m_style.u(2.5));
    painter.setPen(pen(m_style.colours.text, 0.8 * m_style.lineWidth));
    drawLineWithin(painter, m_rect->rect(), {middle, y(low), middle, y(high)});
    for (const double end : {low, high})
      drawLineWithin(painter, m_rect->rect(), {middle - cap, y(end), middle + cap, y(end)});
  }

  void drawPercent(QCPPainter& painter, const QRectF& bar, double value) const {
    const QString text = numberLabel(100 * value, 100 * value < 9.95 ? 1 : 0);
    const QFontMetricsF metrics(m_style.number);
    if (metrics.horizontalAdvance(text) > 1.3 * bar.width()) return;
    const double line = metrics.height();
    painter.setPen(m_style.colours.text);
    painter.setFont(m_style.number);
    painter.drawText(QRectF(bar.center().x() - 3 * line, bar.top() - line - m_style.u(0.6), 6 * line, line),
                     Qt::AlignHCenter | Qt::AlignBottom | Qt::TextDontClip, text);
  }

  void drawLevels(QCPPainter& painter) const {
    painter.setPen(dashedPen(m_style.print ? QColor("#8a9095") : m_style.colours.muted, m_style.thinWidth));
    for (const double level : m_data.levels)
      drawLineWithin(painter, m_rect->rect(),
                     {static_cast<double>(m_rect->left()), y(level), m_rect->right() + 1.0, y(level)});
  }

  void drawZero(QCPPainter& painter) const {
    if (!m_rect->axis(QCPAxis::atLeft)->range().contains(0)) return;
    painter.setPen(pen(m_style.print ? m_style.colours.text : m_style.colours.muted, m_style.axisWidth));
    painter.drawLine(QLineF(m_rect->left(), y(0), m_rect->right() + 1, y(0)));
  }

  BarData m_data;
  PlotStyle m_style;
  const QCPAxisRect* m_rect;
  bool m_intervals;
};

bool hasIntervals(const BarData& data) {
  return std::any_of(data.series.begin(), data.series.end(), [](const BarSeries& series) {
    return std::any_of(series.intervals.begin(), series.intervals.end(),
                       [](const HeadInterval& interval) { return interval.known(); });
  });
}

ValueAxis axisOf(const BarData& data, std::optional<std::pair<double, double>> range, bool intervals) {
  std::vector<double> reached;
  for (const BarSeries& series : data.series) {
    for (const auto* values : {&series.value, &series.low, &series.high})
      reached.insert(reached.end(), values->begin(), values->end());
    for (const HeadInterval& interval : series.intervals) {
      if (!intervals) break;
      reached.push_back(interval.low);
      reached.push_back(interval.high);
    }
  }
  if (!range && data.metric.range == std::pair{0.0, 1.0} && data.series.size() > 1) range = {0.0, 1.05};
  ValueAxis axis = valueAxis(data.metric, reached, true, range);
  if (data.percent && !range) axis.high *= 1.06;  // room for the numbers
  return axis;
}

std::vector<LegendEntry> legendOf(const BarData& data, const PlotStyle& style, bool intervals) {
  std::vector<LegendEntry> legend;
  if (data.colours == BarColours::Families) legend = familyLegend(data.places, style);
  for (std::size_t s = 0; s < data.series.size() && data.colours == BarColours::Kinds; ++s) {
    legend.push_back(barEntry({}, lookOf(data, s, 0, style), style));
    legend.back().text = QString::fromStdString(data.series[s].title);
  }
  const bool whiskers = std::any_of(data.series.begin(), data.series.end(),
                                    [](const BarSeries& series) { return !series.low.empty(); });
  if (whiskers)
    legend.push_back(
        {QStringLiteral("middle half of the heads"), 0.7, [style](QCPPainter& painter, const QRectF& box) {
           painter.setPen(pen(style.colours.text, 0.8 * style.lineWidth));
           const double x = box.center().x(), cap = style.u(1.6);
           painter.drawLine(QLineF(x, box.top(), x, box.bottom()));
           for (const double end : {box.top(), box.bottom()})
             painter.drawLine(QLineF(x - cap, end, x + cap, end));
         }});
  if (intervals) legend.push_back((whiskers ? innerEntry : whiskerEntry)(intervalText(data.over), style));
  if (const QString counts = countText(data.series.front().heads, {}); !counts.isEmpty())
    legend.push_back({counts, 0, [](QCPPainter&, const QRectF&) {}});
  return legend;
}

}  // namespace

void buildBars(const FigurePlace& place, const BarData& data, const PlotStyle& style,
               std::optional<std::pair<double, double>> range, bool intervalsWanted) {
  place.clear(style);
  const bool intervals = intervalsWanted && hasIntervals(data);
  const ValueAxis axis = axisOf(data, range, intervals);
  QCPAxisRect& rect = addPanel(place, 1, 0, style,
                               {style.print ? Frame::LeftBottom : Frame::Box,
                                false,
                                true,
                                data.place == "component" ? QStringLiteral("principal component") : QString(),
                                axis.title,
                                {},
                                {}});
  QCPAxis& y = *rect.axis(QCPAxis::atLeft);
  useValues(y, axis);
  if (data.percent) y.setTicker(QSharedPointer<NumberTicker>::create(y, 1.0, NumberTicker::Kind::Percent));
  nameModels(*rect.axis(QCPAxis::atBottom), data.places);
  addPhaseLines(rect, phaseStarts(data.places, data.windows), style);
  new PaintedLayer(rect, "main", Clip::AxisRect, BarPainter(data, style, rect, intervals));
  addWrappedLegend(place, 0, 0, style, legendOf(data, style, intervals));
}

}  // namespace plastiscope
