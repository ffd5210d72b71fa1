// Heads and models as points: classes of heads, a metric against another, scores of benchmarks; the spread of
// metrics over heads.
#include <algorithm>
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

// Size of a region along an axis, by its centre.
double sizeOf(const TaxonomyData& data, double centre) {
  const double size = std::fabs(centre);
  return size == 0 ? 2 * data.low : size < data.high ? data.high - data.low : 1 - data.high;
}

// A place in the region where its name covers no head, the nearest to the centre; nullopt: there is none.
// Distances in units of the axes.
std::optional<std::pair<double, double>> freePlace(const TaxonomyData& data, const TaxonomyRegion& region) {
  constexpr double kHalfWidth = 0.17, kHalfHeight = 0.07, kStep = 0.02;
  const double most = std::max(0.0, sizeOf(data, region.rKey) / 2 - kHalfHeight);
  for (double shift = 0; shift <= most; shift += kStep) {
    for (const double y : {region.rKey + shift, region.rKey - shift}) {
      const bool covered = std::ranges::any_of(data.points, [&](const TaxonomyPoint& point) {
        return std::fabs(point.rQuery - region.rQuery) < kHalfWidth &&
               std::fabs(point.rKey - y) < kHalfHeight;
      });
      if (!covered) return std::pair(region.rQuery, y);
    }
  }
  return std::nullopt;
}

// Background names "position", "Q", "content" where heads of the class lie, if there is space.
Mark regionNames(const TaxonomyData& data) {
  TextMarks names;
  for (const TaxonomyRegion& region : data.regions) {
    const auto place = freePlace(data, region);
    if (!place) continue;
    const std::string& title = data.classes[region.classIndex].title;
    names.x.push_back(place->first);
    names.y.push_back(place->second);
    names.texts.push_back(title.substr(0, title.find('-')));
    names.room.push_back(sizeOf(data, region.rQuery));
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

bool showsContours(const HeadMetricsData& data) {
  return data.heads.size() > kManyPoints;
}

Plot headMetricsPlot(const HeadMetricsData& data, std::optional<bool> contours) {
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
  if (contours.value_or(showsContours(data))) addContours(plot, box, data);
  plot.boxes.push_back(std::move(box));
  return plot;
}

// --- Heads of several models ----------------------------------------------------------------------------

namespace {

bool oneFamily(const std::vector<ComparedName>& names) {
  return std::all_of(names.begin(), names.end(),
                     [&names](const ComparedName& name) { return name.family == names.front().family; });
}

// Styles of the families if there are several, else of the models.
std::vector<SeriesStyle> stylesOf(const std::vector<ComparedName>& names) {
  if (oneFamily(names)) return seriesStyles(names);
  std::vector<SeriesStyle> styles;
  for (const ComparedName& name : names) styles.push_back(familyStyle(name.family));
  return styles;
}

}  // namespace

Plot headScatterPlot(const HeadScatterData& data) {
  const std::vector<ComparedName> models = comparedNames(data.models);
  const std::vector<SeriesStyle> styles = stylesOf(models);
  const Texts names = shownNames(models);
  Box box;
  box.x = plainValueAxis(data.x, {}, data.xRange);
  box.y = plainValueAxis(data.y, {}, data.yRange);
  box.x.grid = box.y.grid = data.xLevels.empty();
  if (!data.xLevels.empty()) box.marks.push_back(levelRules(data.xLevels, true));
  if (!data.yLevels.empty()) box.marks.push_back(levelRules(data.yLevels, false));
  // Smaller marks for more heads, so that structure stays visible.
  const double crowd = std::pow(150.0 / std::max<double>(150, static_cast<double>(data.heads())), 0.2);
  for (std::size_t m = 0; m < data.models.size(); ++m) {
    const HeadScatterModel& model = data.models[m];
    MarkerStyle style = styles[m].mark(1.5 * crowd);
    style.colour.alpha = 0.8;
    Mark mark{PointMarks{model.x, model.y, style}, richEscaped(names[m])};
    for (const HeadName& head : model.heads) mark.names.push_back(head.text());
    box.marks.push_back(std::move(mark));
  }
  Plot plot;
  if (oneFamily(models)) {
    for (std::size_t m = 0; m < models.size(); ++m)
      plot.legend.push_back(barEntry(richEscaped(names[m]), styles[m]));
  } else {
    plot.legend = familyLegend(models);
  }
  const std::string r = std::isfinite(data.r) ? "<i>r</i> = " + fixedText(data.r, 2) + ", " : "";
  plot.legend.push_back(textEntry(r + withCommas(static_cast<long long>(data.heads())) + " heads"));
  plot.boxes.push_back(std::move(box));
  return plot;
}

// --- Spread over heads ----------------------------------------------------------------------------------

Plot densityPlot(const DensityData& data) {
  Box box;
  box.x = plainValueAxis(data.metric, {}, std::pair{data.edges.front(), data.edges.back()});
  box.x.grid = false;
  const double power = std::log10(box.x.unit);
  box.y.title = box.x.unit == 1
                    ? "density of the heads|density"
                    : "density (per 10<sup>" + numberLabel(std::round(power), 0) + "</sup>)|density";
  box.y.unit = 1 / box.x.unit;
  box.y.high = data.highest > 0 ? 1.06 * data.highest : 1;
  box.y.grid = true;
  if (data.metric.isSigned)
    box.marks.push_back({RuleMarks{true, {0}, {Ink::Muted, 1, Weight::Line, {4, 3}}}});
  const std::vector<ComparedName> models = comparedNames(data.models);
  const std::vector<SeriesStyle> styles = seriesStyles(models);
  const Texts names = shownNames(models);
  Plot plot;
  std::int64_t outside = 0;
  for (std::size_t m = 0; m < models.size(); ++m) {
    const DensityModel& model = data.models[m];
    Values x = {data.edges.front()}, y = {0};  // steps over the bins, from the axis and back to it
    for (std::size_t i = 0; i < model.density.size(); ++i) {
      x.insert(x.end(), {data.edges[i], data.edges[i + 1]});
      y.insert(y.end(), 2, model.density[i]);
    }
    x.push_back(data.edges.back());
    y.push_back(0);
    const std::string name = richEscaped(names[m]);
    box.marks.push_back({BandMark{x, Values(x.size(), 0), y, styles[m].colour.faded(0.12)}});
    Stroke line = styles[m].line;
    line.width = 0.85;
    box.marks.push_back({LineMark{x, y, line}, name});
    plot.legend.push_back(lineEntry(name, styles[m].line));
    outside += model.outside;
  }
  if (outside > 0) plot.legend.push_back(textEntry(std::to_string(outside) + " heads outside"));
  plot.boxes.push_back(std::move(box));
  return plot;
}

// --- Benchmarks -----------------------------------------------------------------------------------------

namespace {

constexpr int kBandSteps = 60;
constexpr double kPointSize = 2.2;

SeriesStyle pointStyle(const BenchmarkPoint& point) {
  const FamilyMark mark = familyMark(point.family);
  return {mark.colour, mark.marker, !point.counted, {}};
}

// Range of the points that count; the line is not drawn beyond them.
Extent spanOf(const BenchmarkData& data) {
  Extent span;
  for (const BenchmarkPoint& point : data.points) {
    if (point.counted) span.add(point.x);
  }
  return span;
}

Stroke fitStroke() {
  return {Ink::Muted, 1, Weight::Line, {4, 2.6}};
}

void addFit(Box& box, const BenchmarkData& data) {
  const auto [low, high] = spanOf(data);
  BandMark band{{}, {}, {}, Colour(Ink::Muted).faded(0.16, 0.09)};
  for (int i = 0; i <= kBandSteps; ++i) {
    const double x = low + (high - low) * i / kBandSteps;
    band.x.push_back(x);
    band.low.push_back(data.line.at(x) - data.line.halfWidth(x));
    band.high.push_back(data.line.at(x) + data.line.halfWidth(x));
  }
  LineMark fit{{low, high}, {data.line.at(low), data.line.at(high)}, fitStroke()};
  fit.noTips = true;
  box.marks.push_back({std::move(band)});
  box.marks.push_back({std::move(fit)});
}

Texts statistics(const BenchmarkData& data) {
  const Correlation& r = data.result;
  if (!std::isfinite(r.pearson)) return {"<i>n</i> = " + std::to_string(r.n) + ": too few for a correlation"};
  Texts lines = {correlationText(r) + ", Fisher's <i>z</i>",
                 "\u03c1 = " + fixedText(r.spearman, 2) + ", <i>n</i> = " + std::to_string(r.n) + ", " +
                     pText(r.permutationP) + " permuting models"};
  const FamilyCorrelation& byFamily = data.byFamily;
  if (byFamily.names.empty()) return lines;
  if (byFamily.interval.known())
    lines.push_back("[" + fixedText(byFamily.interval.low, 2) + ", " + fixedText(byFamily.interval.high, 2) +
                    "] resampling " + byFamily.countText());
  if (std::isfinite(byFamily.p)) lines.push_back(pText(byFamily.p) + " permuting families");
  if (lines.size() == 2) lines.push_back(byFamily.countText() + ": too few for an interval or <i>p</i>");
  return lines;
}

void addPoints(Box& box, const BenchmarkData& data) {
  PointMarks rings;
  rings.style = {Marker::Ring, Ink::Text, true, 1.7 * kPointSize, Rim::Own};
  LabelMarks labels;
  std::vector<Mark> points;
  for (std::size_t i = 0; i < data.points.size(); ++i) {
    const BenchmarkPoint& point = data.points[i];
    if (point.own) {
      rings.x.push_back(point.x);
      rings.y.push_back(point.y);
    }
    labels.x.push_back(point.x);
    labels.y.push_back(point.y);
    labels.texts.push_back(richEscaped(point.label()));
    points.push_back({PointMarks{{point.x}, {point.y}, pointStyle(point).mark(kPointSize)},
                      {},
                      {},
                      {static_cast<std::int64_t>(i)},
                      {benchmarkTip(data, point)}});
  }
  labels.radius = (rings.x.empty() ? 0.6 : 0.95) * kPointSize;
  labels.note = statistics(data);
  if (data.line.known()) {
    const auto [low, high] = spanOf(data);
    labels.line = {{low, data.line.at(low)}, {high, data.line.at(high)}};
  }
  if (!rings.x.empty()) box.marks.push_back({std::move(rings)});
  box.marks.push_back({std::move(labels)});
  box.marks.insert(box.marks.end(), points.begin(), points.end());
}

// Own analyses have a ring, so that they differ without colour.
LegendEntry ringedEntry(const std::string& text, bool hollow) {
  LegendEntry entry = pointEntry(
      text, {Marker::Circle, Ink::Muted, hollow, kPointSize, hollow ? Rim::Own : Rim::Ground}, 1.6);
  entry.symbol.ringed = true;
  return entry;
}

std::vector<LegendEntry> benchmarkLegend(const BenchmarkData& data) {
  std::vector<LegendEntry> legend;
  Texts seen;  // two families may share a title and a mark
  bool own = false, apart = false;
  for (const BenchmarkPoint& point : data.points) {
    own = own || point.own;
    apart = apart || !point.counted;
    const std::string title = familyTitle(point.family);
    if (std::ranges::count(seen, title) > 0) continue;
    seen.push_back(title);
    BenchmarkPoint plain = point;
    plain.counted = true;
    legend.push_back(barEntry(title, pointStyle(plain)));
  }
  if (own) legend.push_back(ringedEntry("own analysis", false));
  if (apart) legend.push_back(ringedEntry("own, model counted already", true));
  if (data.line.known()) {
    LegendEntry fit = boxEntry("least squares, 95 %", Colour(Ink::Muted, 0.16));
    fit.symbol.width = 2.2;
    fit.symbol.line = fitStroke();
    legend.push_back(fit);
  }
  return legend;
}

}  // namespace

std::string pText(double p) {
  if (!std::isfinite(p)) return "<i>p</i> \u2013";
  if (p < 0.001) return "<i>p</i> &lt; 0.001";
  return "<i>p</i> = " + fixedText(p, p < 0.1 ? 3 : 2);
}

std::string correlationText(const Correlation& result) {
  const std::string r = "<i>r</i> = " + fixedText(result.pearson, 2);
  if (!std::isfinite(result.pearsonInterval.low)) return r;
  return r + " [" + fixedText(result.pearsonInterval.low, 2) + ", " +
         fixedText(result.pearsonInterval.high, 2) + "]";
}

std::string benchmarkTip(const BenchmarkData& data, const BenchmarkPoint& point) {
  std::string tip = "<b>" + richEscaped(point.label()) + "</b> \u00b7 " +
                    (point.own ? "own analysis" : "the thesis") + "<br>" + data.predictor.label + " " +
                    metricText(point.x) + "<br>score " + metricText(point.y);
  if (std::isfinite(point.without)) tip += "<br><i>r</i> without it " + metricText(point.without);
  if (!point.counted) tip += "<br>not counted: the model stands here already";
  return tip;
}

Plot benchmarkPlot(const BenchmarkData& data, const ValueRange& range) {
  Values x, y;
  for (const BenchmarkPoint& point : data.points) {
    x.push_back(point.x);
    y.push_back(point.y);
  }
  MetricInfo score;
  // The part after the dot is left out when the axis is short.
  score.label = richEscaped(data.title + " score \u00b7 " + data.group.title());
  Box box;
  box.x = plainValueAxis(data.predictor, x, {});
  box.y = plainValueAxis(score, y, range);
  if (data.line.known()) addFit(box, data);
  addPoints(box, data);
  Plot plot;
  plot.legend = benchmarkLegend(data);
  plot.boxes.push_back(std::move(box));
  return plot;
}

}  // namespace plastiscope
