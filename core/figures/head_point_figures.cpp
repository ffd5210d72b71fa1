// Scatter figures of one study's heads: their classes, and any metric against any other.
#include <cmath>

#include "core/base/error.h"
#include "core/figures/figures.h"

namespace plastiscope {

namespace {

// Style of a class: colour and shape, each sufficient to identify it.
MarkerStyle classStyle(std::size_t index, double size) {
  constexpr Marker kShapes[] = {Marker::Circle, Marker::Square, Marker::Diamond, Marker::Triangle,
                                Marker::Dot};
  constexpr double kSizes[] = {1, 1, 1.25, 1.15, 1};
  const std::size_t known = std::min<std::size_t>(index, 4);
  return {kShapes[known], taxonomyColour(index), false, kSizes[known] * size};
}

// Background names "position", "Q", "content" where heads of the class lie, if there is space.
Mark regionNames(const TaxonomyData& data) {
  TextMarks names;
  for (const TaxonomyRegion& region : data.regions) {
    const std::string& title = data.classes[region.classIndex].title;
    names.x.push_back(region.rQuery);
    names.y.push_back(region.rKey);
    names.texts.push_back(title.substr(0, title.find('-')));
    names.room.push_back(region.rQuery == 0          ? 2 * data.low
                         : region.rQuery < data.high ? data.high - data.low
                                                     : 1 - data.high);
  }
  return {.kind = std::move(names), .layer = Layer::Below};
}

}  // namespace

Plot taxonomyPlot(const TaxonomyData& data) {
  Box box;
  box.x.title = "<i>r</i><sub>Q</sub> on PC0";
  box.y.title = "<i>r</i><sub>K</sub> on PC0";
  for (Axis* axis : {&box.x, &box.y}) {
    axis->low = -1.05;
    axis->high = 1.05;
  }
  const Values levels = {data.low, data.high, -data.low, -data.high};
  box.marks.push_back(levelRules(levels, true));
  box.marks.push_back(levelRules(levels, false));
  box.marks.push_back(regionNames(data));
  Plot plot;
  plot.oneLine = true;
  for (std::size_t c = 0; c < data.classes.size(); ++c) {
    if (data.classes[c].heads == 0) continue;
    PointMarks points;
    points.style = classStyle(c, 1.35);
    points.style.colour.alpha = 0.9;
    Mark mark;
    mark.title = data.classes[c].title;
    for (std::size_t i = 0; i < data.points.size(); ++i) {
      const TaxonomyPoint& point = data.points[i];
      if (point.classIndex != c) continue;
      points.x.push_back(point.rQuery);
      points.y.push_back(point.rKey);
      mark.ids.push_back(static_cast<std::int64_t>(i));
      mark.tips.push_back("<b>" + point.head.text() + "</b> \u00b7 " + data.classes[c].title +
                          "<br><i>r</i><sub>Q</sub> " + numberLabel(point.rQuery, 3) +
                          " &nbsp; <i>r</i><sub>K</sub> " + numberLabel(point.rKey, 3));
    }
    mark.kind = std::move(points);
    box.marks.push_back(std::move(mark));
    plot.legend.push_back(pointEntry(data.classes[c].title, classStyle(c, 1.5)));
    plot.legend.back().symbol.marker->rim = Rim::None;
    plot.legend.back().detail = " " + std::to_string(data.classes[c].heads);
  }
  if (data.undefined > 0) plot.legend.push_back(textEntry(std::to_string(data.undefined) + " without class"));
  plot.boxes.push_back(std::move(box));
  return plot;
}

// --- Any metric against any other -------------------------------------------------------------------------

namespace {

constexpr std::size_t kManyPoints =
    500;  // from this number on points are small, and contours show their density

// Smaller for many heads, so that 5,000 points do not hide each other.
double pointSize(std::size_t heads) {
  return 1.4 * std::pow(150.0 / std::max<double>(150, static_cast<double>(heads)), 0.25);
}

std::string pointTip(const HeadMetricsData& data, std::size_t i) {
  std::string tip = "<b>" + data.heads[i].text() + "</b>";
  if (data.classOf[i] < data.classes.size()) tip += " \u00b7 " + data.classes[data.classOf[i]].title;
  tip += "<br>" + data.x.label + " " + metricText(data.across[i], data.x) + "<br>" + data.y.label + " " +
         metricText(data.up[i], data.y);
  return data.colour ? tip + "<br>" + data.colour->label + " " + metricText(data.shade[i], *data.colour)
                     : tip;
}

// Copies the entries of the heads that are taken.
template <typename Taken>
Mark headPoints(const HeadMetricsData& data, const MarkerStyle& style, const Taken& taken) {
  PointMarks points;
  points.style = style;
  points.style.rim = data.heads.size() > kManyPoints ? Rim::None : Rim::Ground;
  points.style.colour.alpha = data.heads.size() > kManyPoints ? 0.6 : 0.9;
  Mark mark;
  for (std::size_t i = 0; i < data.heads.size(); ++i) {
    if (!taken(i)) continue;
    points.x.push_back(data.across[i]);
    points.y.push_back(data.up[i]);
    if (data.colour) points.shade.push_back(data.shade[i]);
    mark.ids.push_back(static_cast<std::int64_t>(i));
    mark.tips.push_back(pointTip(data, i));
  }
  mark.kind = std::move(points);
  return mark;
}

void addClasses(Plot& plot, Box& box, const HeadMetricsData& data, double size) {
  for (std::size_t c = 0; c < data.classes.size(); ++c) {
    if (data.classes[c].heads == 0) continue;
    box.marks.push_back(
        headPoints(data, classStyle(c, size), [&](std::size_t i) { return data.classOf[i] == c; }));
    plot.legend.push_back(pointEntry(data.classes[c].title, classStyle(c, 1.5)));
    plot.legend.back().symbol.marker->rim = Rim::None;
    plot.legend.back().detail = " " + withCommas(data.classes[c].heads);
  }
  const auto without = [&](std::size_t i) { return data.classOf[i] == data.classes.size(); };
  box.marks.push_back(headPoints(data, {Marker::Dot, Ink::Muted, false, size}, without));
}

void addShades(Box& box, const HeadMetricsData& data, double size) {
  Mark mark = headPoints(data, {Marker::Circle, Ink::Muted, false, size}, [](std::size_t) { return true; });
  auto& points = std::get<PointMarks>(mark.kind);
  points.colours = data.colour->isSigned ? "blue_white_red" : "metrics";
  std::tie(points.low, points.high) = data.shadeRange;
  const int power = powerFor(std::max(std::fabs(points.low), std::fabs(points.high)));
  box.scale = {points.colours, points.low, points.high, titleWithUnit(*data.colour, power),
               std::pow(10, power)};
  box.marks.push_back(std::move(mark));
}

void addContours(Plot& plot, Box& box, const HeadMetricsData& data) {
  const Stroke line{Ink::Text, 1, Weight::Thin};
  bool any = false;
  for (const std::vector<ContourSegment>& segments : data.contours) {
    SegmentMarks marks{.strokes = {line}};
    for (const ContourSegment& segment : segments) {
      marks.x0.push_back(segment.x0);
      marks.y0.push_back(segment.y0);
      marks.x1.push_back(segment.x1);
      marks.y1.push_back(segment.y1);
    }
    any = any || !segments.empty();
    box.marks.push_back({std::move(marks), {}, {}, {}, {}, Layer::Above});
  }
  if (any) plot.legend.push_back(lineEntry("hold 50, 80, 95 % of heads", line));
}

}  // namespace

Plot headMetricsPlot(const HeadMetricsData& data, bool contours) {
  Plot plot;
  plot.oneLine = true;
  Box box;
  box.x = plainValueAxis(data.x, data.across, {});
  box.y = plainValueAxis(data.y, data.up, {});
  for (const auto& [metric, vertical] : {std::pair(&data.x, true), {&data.y, false}}) {
    if (metric->isSigned) box.marks.push_back({RuleMarks{vertical, {0}, {Ink::Muted, 1, Weight::Thin}}});
  }
  const double size = pointSize(data.heads.size());
  if (data.colour)
    addShades(box, data, size);
  else
    addClasses(plot, box, data, size);
  if (contours && data.heads.size() > kManyPoints) addContours(plot, box, data);
  plot.boxes.push_back(std::move(box));
  return plot;
}

}  // namespace plastiscope
