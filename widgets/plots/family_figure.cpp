#include "widgets/plots/family_figure.h"

#include <QFontMetricsF>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "widgets/plots/interval_marks.h"
#include "widgets/plots/model_axis.h"
#include "widgets/plots/published.h"
#include "widgets/plots/series_look.h"
#include "widgets/plots/taxonomy_figure.h"

namespace plastiscope {

namespace {

// Variance along a, along b, and beside the plane: from what stands out to what does not.
QColor varianceColour(std::size_t part, const PlotStyle& style) {
  static constexpr std::array<const char*, 3> kLight = {"#4b5560", "#9aa5ad", "#dfe3e6"};
  static constexpr std::array<const char*, 3> kDark = {"#cfd6db", "#8b969e", "#3f464c"};
  const auto& colours = style.theme == Theme::Dark ? kDark : kLight;
  return QColor(QLatin1String(colours.at(std::min<std::size_t>(part, 2))));
}

QColor partColour(const ComparedShares& data, std::size_t part, const PlotStyle& style) {
  return data.id == "taxonomy" ? taxonomyColour(part, style.theme) : varianceColour(part, style);
}

// Black or white, whichever can be read on it.
QColor inkOn(const QColor& fill) {
  const double light = 0.299 * fill.redF() + 0.587 * fill.greenF() + 0.114 * fill.blueF();
  return light > 0.55 ? QColor("#16181a") : QColor("#ffffff");
}

void drawShares(QCPPainter& painter, const ComparedShares& data, const QCPAxisRect& rect,
                const PlotStyle& style) {
  const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  painter.setFont(style.number);
  const QFontMetricsF metrics(style.number);
  for (std::size_t m = 0; m < data.models.size(); ++m) {
    const double top = y.coordToPixel(static_cast<double>(m) - 0.31),
                 bottom = y.coordToPixel(static_cast<double>(m) + 0.31);
    double from = 0;
    for (std::size_t part = 0; part < data.names.size(); ++part) {
      const double share = data.share[m][part];
      if (!std::isfinite(share) || share <= 0) continue;
      const QRectF box(QPointF(x.coordToPixel(from), top), QPointF(x.coordToPixel(from + share), bottom));
      from += share;
      const QColor fill = partColour(data, part, style);
      painter.setPen(pen(style.colours.view, style.u(style.print ? 0.25 : 0.8)));
      painter.setBrush(fill);
      painter.drawRect(box.normalized());
      const QString text = numberLabel(100 * share, 0) + QStringLiteral("\u2009%");
      if (metrics.horizontalAdvance(text) + metrics.height() * 0.4 > box.width()) continue;
      painter.setPen(inkOn(fill));
      painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, text);
    }
  }
}

// What the intervals add to the values of an axis: at most half of what these span on each side, since those
// of two or three heads are wide.
void addReach(std::vector<double>& values, const ComparedDepths& data) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) return;
  const double most = (high - low) / 2;
  for (const ComparedDepth& model : data.models) {
    for (const auto* ends : {&model.means.low, &model.means.high}) {
      for (const double end : *ends)
        if (std::isfinite(end)) values.push_back(std::clamp(end, low - most, high + most));
    }
  }
}

}  // namespace

void buildComparedDepths(const FigurePlace& place, const ComparedDepths& data, const PlotStyle& style,
                         std::optional<std::pair<double, double>> range, bool intervalsWanted) {
  place.clear(style);
  const bool intervals = intervalsWanted && data.over != IntervalOver::None;
  std::vector<double> values;
  std::vector<ComparedName> names;
  for (const ComparedDepth& model : data.models) {
    for (const auto* part : {&model.means.centre, &model.published.y})
      values.insert(values.end(), part->begin(), part->end());
    names.push_back(model.model);
  }
  if (intervals) addReach(values, data);
  ValueAxis axis = valueAxis(data.metric, values, false, range);
  const QString of =
      data.median ? QStringLiteral(", median of the layer") : QStringLiteral(", mean of the layer");
  axis.title = axis.title.section('|', 0, 0) + of + "|" + axis.title;
  QCPAxisRect& rect =
      addPanel(place, 1, 0, style,
               {Frame::Box, true, true, QStringLiteral("relative depth of the layer"), axis.title, {}, {}});
  QCPAxis& x = *rect.axis(QCPAxis::atBottom);
  x.setTicker(QSharedPointer<NumberTicker>::create(x));
  x.setRange(-0.02, 1.02);
  useValues(*rect.axis(QCPAxis::atLeft), axis);
  new PaintedLayer(rect, "main", Clip::AxisRect, [data, names, &rect, style, intervals](QCPPainter& painter) {
    if (data.metric.isSigned) {
      painter.setPen(pen(style.print ? style.colours.text : style.colours.muted, style.axisWidth));
      const double zero = rect.axis(QCPAxis::atLeft)->coordToPixel(0);
      painter.drawLine(QLineF(rect.left(), zero, rect.right() + 1, zero));
    }
    const auto looks = seriesLooks(names, style);
    for (std::size_t m = 0; intervals && m < data.models.size(); ++m) {
      const ComparedDepth& model = data.models[m];
      drawBand(painter, rect, model.depth, model.means.low, model.means.high, looks[m].colour, style);
    }
    for (std::size_t m = 0; m < data.models.size(); ++m) {
      drawPublished(
          painter, rect, data.models[m].published, [](double depth) { return depth; },
          publishedStyle(looks[m].colour, style));
      drawSeries(painter, rect, data.models[m].depth, data.models[m].means.centre, looks[m], style);
    }
  });
  const auto looks = seriesLooks(names, style);
  std::vector<LegendEntry> legend;
  const QStringList shown = shownNames(names);
  for (std::size_t m = 0; m < names.size(); ++m) {
    legend.push_back(seriesEntry(shown[static_cast<qsizetype>(m)], looks[m], style));
    const QString counts = countText(data.models[m].heads, data.models[m].examples);
    if (!counts.isEmpty()) legend.back().detail = " (" + counts + ")";
  }
  if (intervals) legend.push_back(bandEntry(intervalText(data.over), style.colours.text, style));
  const bool published = std::any_of(data.models.begin(), data.models.end(),
                                     [](const ComparedDepth& model) { return !model.published.empty(); });
  if (published) legend.push_back(publishedOfAllEntry(style));
  addWrappedLegend(place, 0, 0, style, std::move(legend));
}

void buildComparedShares(const FigurePlace& place, const ComparedShares& data, const PlotStyle& style) {
  place.clear(style);
  QCPAxisRect& rect =
      addPanel(place, 1, 0, style,
               {Frame::LeftBottom,
                false,
                false,
                data.id == "taxonomy"
                    ? QStringLiteral("share of the heads")
                    : QStringLiteral("share of the variance of queries and keys|share of the variance"),
                {},
                {},
                QStringLiteral("100\u2009%")});
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  x.setTicker(QSharedPointer<NumberTicker>::create(x, 1.0, NumberTicker::Kind::Percent));
  x.setRange(0, 1);
  nameModels(y, data.models);
  y.setRangeReversed(true);
  y.setTickLength(0, 0);
  new PaintedLayer(rect, "main", Clip::AxisRect,
                   [data, &rect, style](QCPPainter& painter) { drawShares(painter, data, rect, style); });
  std::vector<LegendEntry> legend;
  for (std::size_t part = 0; part < data.titles.size(); ++part)
    legend.push_back(
        boxEntry(QString::fromStdString(data.titles[part]), partColour(data, part, style), Qt::NoPen));
  addWrappedLegend(place, 0, 0, style, std::move(legend));
}

}  // namespace plastiscope
