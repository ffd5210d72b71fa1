#include "widgets/plots/head_scatter_figure.h"

#include <algorithm>
#include <cmath>

#include "widgets/plots/model_axis.h"
#include "widgets/plots/series_look.h"

namespace plastiscope {

namespace {

std::vector<ComparedName> namesOf(const HeadScatterData& data) {
  std::vector<ComparedName> names;
  for (const HeadScatterModel& model : data.models) names.push_back(model.model);
  return names;
}

bool oneFamily(const std::vector<ComparedName>& names) {
  return std::all_of(names.begin(), names.end(),
                     [&names](const ComparedName& name) { return name.family == names.front().family; });
}

// Families where there are several; else the models of the family.
std::vector<SeriesLook> looksOf(const std::vector<ComparedName>& names, const PlotStyle& style) {
  if (oneFamily(names)) return seriesLooks(names, style);
  std::vector<SeriesLook> looks;
  for (const ComparedName& name : names) looks.push_back(familyLook(name.family, style));
  return looks;
}

std::vector<LegendEntry> legendOf(const HeadScatterData& data, const PlotStyle& style) {
  const std::vector<ComparedName> names = namesOf(data);
  std::vector<LegendEntry> legend;
  if (oneFamily(names)) {
    const auto looks = looksOf(names, style);
    const QStringList shown = shownNames(names);
    for (std::size_t m = 0; m < names.size(); ++m)
      legend.push_back(barEntry(shown[static_cast<qsizetype>(m)], looks[m], style));
  } else {
    legend = familyLegend(names, style);
  }
  QString text = QStringLiteral("%1 heads").arg(numberLabel(static_cast<double>(data.heads()), 0));
  if (std::isfinite(data.r))
    text = QStringLiteral("<i>r</i> = %1, ").arg(QString::fromStdString(fixedText(data.r, 2))) + text;
  legend.push_back({text, 0, [](QCPPainter&, const QRectF&) {}});
  return legend;
}

void drawLevels(QCPPainter& painter, const HeadScatterData& data, const QCPAxisRect& rect,
                const PlotStyle& style) {
  painter.setPen(dashedPen(style.print ? QColor("#8a9095") : style.colours.muted, style.thinWidth));
  for (const double level : data.xLevels) {
    const double x = rect.axis(QCPAxis::atBottom)->coordToPixel(level);
    drawLineWithin(painter, rect.rect(), {x, static_cast<double>(rect.top()), x, rect.bottom() + 1.0});
  }
  for (const double level : data.yLevels) {
    const double y = rect.axis(QCPAxis::atLeft)->coordToPixel(level);
    drawLineWithin(painter, rect.rect(), {static_cast<double>(rect.left()), y, rect.right() + 1.0, y});
  }
}

void drawHeads(QCPPainter& painter, const HeadScatterData& data, const QCPAxisRect& rect,
               const PlotStyle& style) {
  auto looks = looksOf(namesOf(data), style);
  // Smaller marks the more there are, so that structure stays visible.
  const double crowd = std::pow(150.0 / std::max<double>(150, static_cast<double>(data.heads())), 0.2);
  const double size = 1.5 * style.pointSize * crowd;
  for (std::size_t m = 0; m < data.models.size(); ++m) {
    looks[m].colour.setAlphaF(0.8F);
    const HeadScatterModel& model = data.models[m];
    for (std::size_t i = 0; i < model.x.size(); ++i) {
      const QPointF at(rect.axis(QCPAxis::atBottom)->coordToPixel(model.x[i]),
                       rect.axis(QCPAxis::atLeft)->coordToPixel(model.y[i]));
      if (QRectF(rect.rect()).contains(at)) drawMarker(painter, looks[m], at, size, style);
    }
  }
}

ValueAxis axisOf(const MetricInfo& metric, const std::pair<double, double>& range) {
  MetricInfo plain = metric;
  plain.isSigned = false;  // a scatter has no zero line to keep in sight
  return valueAxis(plain, {range.first, range.second}, false, range);
}

}  // namespace

void buildHeadScatter(const FigurePlace& place, const HeadScatterData& data, const PlotStyle& style) {
  place.clear(style);
  const ValueAxis across = axisOf(data.x, data.xRange), up = axisOf(data.y, data.yRange);
  const bool grid = data.xLevels.empty();
  QCPAxisRect& rect = addPanel(place, 1, 0, style, {Frame::Box, grid, grid, across.title, up.title, {}, {}});
  useValues(*rect.axis(QCPAxis::atBottom), across);
  useValues(*rect.axis(QCPAxis::atLeft), up);
  new PaintedLayer(rect, "main", Clip::AxisRect, [data, &rect, style](QCPPainter& painter) {
    drawLevels(painter, data, rect, style);
    drawHeads(painter, data, rect, style);
  });
  addWrappedLegend(place, 0, 0, style, legendOf(data, style));
}

}  // namespace plastiscope
