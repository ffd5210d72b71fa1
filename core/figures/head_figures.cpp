// All heads of one study: the grid of layers and heads, the classes, a metric by layer.
#include <algorithm>
#include <cmath>

#include "core/analysis/statistics.h"
#include "core/figures/figures.h"

namespace plastiscope {

HeadGridPlaces::HeadGridPlaces(const HeadGridData& data)
    : m_heads(data.heads),
      m_layers(data.layers),
      m_group(std::max<std::int64_t>(1, data.groupSize)),
      m_gap(m_group > 1 && m_heads > m_group ? 0.18 : 0) {}

double HeadGridPlaces::ofHead(std::int64_t head) const {
  return static_cast<double>(head) + m_gap * static_cast<double>(head / m_group);
}

double HeadGridPlaces::headsEnd() const {
  return ofHead(std::max<std::int64_t>(0, m_heads - 1)) + 0.5;
}

std::optional<std::int64_t> HeadGridPlaces::headAt(double place) const {
  const double perGroup = static_cast<double>(m_group) + m_gap;
  const double group = std::floor((place + 0.5) / perGroup);
  const auto head = static_cast<std::int64_t>(group) * m_group +
                    static_cast<std::int64_t>(std::floor(place + 0.5 - group * perGroup));
  if (place < -0.5 || head < 0 || head >= m_heads || std::fabs(ofHead(head) - place) > 0.5)
    return std::nullopt;
  return head;
}

std::optional<std::int64_t> HeadGridPlaces::layerAt(double place) const {
  const auto layer = static_cast<std::int64_t>(std::floor(place + 0.5));
  if (layer < 0 || layer >= m_layers) return std::nullopt;
  return layer;
}

namespace {

// What a layer is marked with beside its row; attention and rotation are properties of whole layers.
std::string layerLetters(const HeadGridData& data, std::int64_t layer) {
  const auto without = data.withoutVectors.find(layer);
  if (without != data.withoutVectors.end()) return without->second == "cross" ? "X" : "R";
  for (std::int64_t head = 0; head < data.heads; ++head) {
    const HeadGridCell& cell = data.at(layer, head);
    if (cell.windowed) return cell.nope ? "WN" : "W";
    if (cell.nope) return "N";
  }
  return {};
}

Texts allLetters(const HeadGridData& data) {
  Texts letters;
  for (std::int64_t layer = 0; layer < data.layers; ++layer) letters.push_back(layerLetters(data, layer));
  return letters;
}

std::vector<LegendEntry> gridLegend(const HeadGridData& data, const Texts& letters) {
  std::vector<LegendEntry> legend;
  if (data.notCaptured > 0) {
    legend.push_back(boxEntry("not captured", Ink::Outside));
    legend.back().symbol.rim = Stroke{Ink::Border, 1, Weight::Thin};
  }
  if (data.missing > 0) {
    legend.push_back(boxEntry("no value", Ink::Outside));
    legend.back().symbol.rim = Stroke{Ink::Muted, 1, Weight::Thin};
    legend.back().symbol.hatch = Ink::Muted;
  }
  constexpr std::pair<const char*, const char*> kMeanings[] = {{"N", "NoPE layer"},
                                                               {"W", "sliding window"},
                                                               {"X", "cross-attention, no vectors"},
                                                               {"R", "recurrence, no vectors"}};
  for (const auto& [letter, meaning] : kMeanings) {
    const bool used = std::any_of(letters.begin(), letters.end(), [l = letter](const std::string& m) {
      return m.find(l) != std::string::npos;
    });
    if (used) legend.push_back(textEntry(std::string("<b>") + letter + "</b> " + meaning));
  }
  return legend;
}

// One axis with its names; heads stand above the grid, layers beside it.
Axis namedAxis(const char* letter, const Values& places, double end) {
  Axis axis;
  for (std::size_t i = 0; i < places.size(); ++i) axis.names.push_back(letter + std::to_string(i));
  axis.places = places;
  axis.ticks = Ticks::Names;
  axis.low = -0.5;
  axis.high = end;
  axis.tickMarks = false;
  return axis;
}

std::vector<std::pair<double, double>> around(const Values& places) {
  std::vector<std::pair<double, double>> ends;
  for (const double place : places) ends.emplace_back(place - 0.5, place + 0.5);
  return ends;
}

Mark gridCells(const HeadGridData& data, const Values& heads, const Values& layers, bool transposed) {
  CellMarks cells{around(transposed ? layers : heads), around(transposed ? heads : layers)};
  cells.between = CellMarks::Between::Gap;
  Mark mark;
  const std::int64_t rows = transposed ? data.heads : data.layers,
                     columns = transposed ? data.layers : data.heads;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const HeadName name = transposed ? HeadName{column, row} : HeadName{row, column};
      const HeadGridCell& cell = data.at(name.layer, name.head);
      cells.value.push_back(cell.value);
      cells.state.push_back(!cell.captured              ? CellState::Outside
                            : std::isfinite(cell.value) ? CellState::Valued
                                                        : CellState::Unknown);
      mark.tips.push_back(
          "<b>" + name.text() + "</b><br>" +
          (cell.captured ? data.metric.label + " " + metricText(cell.value, data.metric) : "not captured"));
    }
  }
  mark.kind = std::move(cells);
  return mark;
}

}  // namespace

double headGridExtent(const HeadGridData& data) {
  const Texts letters = allLetters(data);
  const bool marked =
      std::any_of(letters.begin(), letters.end(), [](const std::string& one) { return !one.empty(); });
  return HeadGridPlaces(data).headsEnd() + (marked ? 0.8 : 0);
}

Plot headGridPlot(const HeadGridData& data, const HeadGridOptions& options) {
  const HeadGridPlaces places(data);
  const Texts letters = allLetters(data);
  const double headsEnd = headGridExtent(data);
  Values heads;
  for (std::int64_t head = 0; head < data.heads; ++head) heads.push_back(places.ofHead(head));
  const Values layers = placesOf(static_cast<std::size_t>(data.layers));
  const bool transposed = options.transposed;
  Box box;
  box.frame = Frame::None;
  box.x = transposed ? namedAxis("L", layers, places.layersEnd()) : namedAxis("H", heads, headsEnd);
  box.y = transposed ? namedAxis("H", heads, headsEnd) : namedAxis("L", layers, places.layersEnd());
  box.x.opposite = true;
  box.y.reversed = true;
  box.marks.push_back(gridCells(data, heads, layers, transposed));
  auto& cells = std::get<CellMarks>(box.marks.front().kind);
  cells.colours = data.metric.isSigned ? "blue_white_red" : "metrics";
  std::tie(cells.low, cells.high) = options.range.value_or(std::pair{data.low, data.high});
  const int power = powerFor(std::max(std::fabs(cells.low), std::fabs(cells.high)));
  box.scale = {cells.colours, cells.low, cells.high, titleWithUnit(data.metric, power), std::pow(10, power)};
  if (headsEnd > places.headsEnd()) {
    TextMarks texts;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      if (letters[i].empty()) continue;
      texts.x.push_back(transposed ? layers[i] : places.headsEnd() + 0.4);
      texts.y.push_back(transposed ? places.headsEnd() + 0.4 : layers[i]);
      texts.texts.push_back(letters[i]);
    }
    box.marks.push_back({std::move(texts), {}, {}, {}, {}, Layer::Above, false});
  }
  Plot plot;
  plot.oneLine = true;
  plot.legend = gridLegend(data, letters);
  plot.boxes.push_back(std::move(box));
  return plot;
}

// --- Classes --------------------------------------------------------------------------------------------

namespace {

// One mark a class: colour and shape, so that either suffices.
MarkerStyle classStyle(std::size_t index, double size) {
  constexpr Marker kShapes[] = {Marker::Circle, Marker::Square, Marker::Diamond, Marker::Triangle,
                                Marker::Dot};
  constexpr double kSizes[] = {1, 1, 1.25, 1.15, 1};
  const std::size_t known = std::min<std::size_t>(index, 4);
  return {kShapes[known], taxonomyColour(index), false, kSizes[known] * size};
}

// Behind the heads: "position", "Q", "content" where heads of the class stand, if there is room.
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

// --- A metric by layer ----------------------------------------------------------------------------------

namespace {

Axis depthAxis(const DepthData& data, const ValueRange& range, const ReferenceCurve& published) {
  Extent extent;
  if (data.metric.isSigned) extent.add(0);
  for (const Values* values : {&data.values, &published.y}) extent.add(*values);
  const auto [low, high] = extent.known() ? extent : Extent{0, 1};
  const double space = high > low ? 0.05 * (high - low) : 0.5;
  Axis axis;
  std::tie(axis.low, axis.high) = range.value_or(std::pair{low - space, high + space});
  const int power = powerFor(std::max(std::fabs(axis.low), std::fabs(axis.high)));
  axis.unit = std::pow(10, power);
  axis.title = titleWithUnit(data.metric, power);
  axis.grid = true;
  return axis;
}

}  // namespace

Plot depthPlot(const DepthData& data, const ValueRange& range, const ReferenceCurve& published,
               bool intervalsWanted) {
  const bool intervals = intervalsWanted && data.means.over != IntervalOver::None;
  Box box;
  box.x.title = "layer";
  box.x.ticks = Ticks::Whole;
  box.x.low = -0.7;
  box.x.high = static_cast<double>(std::max<std::int64_t>(1, data.layers)) - 0.3;
  box.x.grid = true;
  box.y = depthAxis(data, range, published);
  if (data.metric.isSigned) box.marks.push_back(zeroRule());
  const LayerRuns runs = layerRuns(data.means, asDoubles(data.means.layer), kLayerReach);
  if (intervals) box.marks.push_back(bandMark(runs.x, runs.low, runs.high, Ink::Text));
  const MarkerStyle faint{Marker::Circle, Colour(Ink::Bars, 0.55), false, 1, Rim::None};
  PointMarks heads{{}, data.values, faint};
  Mark points;
  for (std::size_t i = 0; i < data.heads.size(); ++i) {
    heads.x.push_back(static_cast<double>(data.heads[i].layer));
    points.ids.push_back(static_cast<std::int64_t>(i));
    points.tips.push_back("<b>" + data.heads[i].text() + "</b><br>" + data.metric.label + " " +
                          metricText(data.values[i], data.metric));
  }
  points.kind = std::move(heads);
  box.marks.push_back(std::move(points));
  if (!published.empty())
    box.marks.push_back(
        publishedMark(published, static_cast<double>(data.layers - 1), Ink::Text, data.metric.label));
  const std::string centre = data.median ? "median of the layer" : "mean of the layer";
  LineMark line{runs.x, runs.centre, meanStroke()};
  line.noTips = true;
  box.marks.push_back({std::move(line), centre});
  Plot plot;
  plot.legend = {pointEntry(countText(static_cast<std::int64_t>(data.heads.size()), 0), faint),
                 lineEntry(centre, meanStroke())};
  if (intervals) plot.legend.push_back(bandEntry(intervalText(data.means.over, data.examples), Ink::Text));
  if (!published.empty()) plot.legend.push_back(publishedEntry(nameOf(published), false));
  plot.boxes.push_back(std::move(box));
  return plot;
}

}  // namespace plastiscope
