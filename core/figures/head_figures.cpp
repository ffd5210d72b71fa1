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
      // Wide enough to be visible between narrow cells.
      m_gap(data.order == HeadOrder::Layers && m_group > 1 && m_heads > m_group
                ? std::max(0.18, static_cast<double>(m_heads) / 200)
                : 0) {}

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

std::optional<HeadName> HeadGridPlaces::at(double heads, double layers) const {
  const auto head = headAt(heads), layer = layerAt(layers);
  if (!head || !layer) return std::nullopt;
  return HeadName{*layer, *head};
}

namespace {

// Letters beside the row of a layer; attention and rotation are properties of whole layers.
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
  if (data.order == HeadOrder::Similar) return letters;  // rows are not layers
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

// Axis with names; heads are labelled above the grid, layers beside it.
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

// Names each group of heads that share a key head, at its middle.
void nameGroups(Axis& axis, const HeadGridData& data, const Values& heads) {
  const auto size = static_cast<std::size_t>(data.groupSize);
  for (std::size_t first = 0; first + size <= heads.size(); first += size) {
    axis.farNames.push_back("KV" + std::to_string(first / size));
    axis.farPlaces.push_back((heads[first] + heads[first + size - 1]) / 2);
  }
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
      const HeadName name = data.cellAt(transposed ? column * data.heads + row : row * data.heads + column);
      const HeadGridCell& cell = data.at(name.layer, name.head);
      cells.value.push_back(cell.value);
      cells.state.push_back(!cell.captured              ? CellState::Outside
                            : std::isfinite(cell.value) ? CellState::Valued
                                                        : CellState::Unknown);
      mark.tips.push_back(
          "<b>" + data.nameOf(name) + "</b><br>" +
          (cell.captured ? data.metric.label + " " + metricText(cell.value, data.metric) : "not captured"));
    }
  }
  mark.kind = std::move(cells);
  return mark;
}

constexpr double kWideAlpha = 0.16, kNarrowAlpha = 0.34;  // 5-95 % and 25-75 %

// Percentiles over the heads of each layer, in the rows of the grid.
Box spreadsBox(const HeadGridData& data, const Axis& layers, std::pair<double, double> range) {
  Box box;
  box.width = {34, 68};
  box.y = layers;
  box.y.labels = false;
  box.x.opposite = true;
  box.x.grid = true;
  box.x.tickMarks = false;
  std::tie(box.x.low, box.x.high) = range;
  box.x.unit = std::pow(10, powerFor(std::max(std::fabs(range.first), std::fabs(range.second))));
  BandMark wide{{}, {}, {}, Colour(Ink::Text, kWideAlpha), true},
      narrow{{}, {}, {}, Colour(Ink::Text, kNarrowAlpha), true};
  LineMark median{{}, {}, {Ink::Text}};
  median.noTips = true;
  for (std::int64_t layer = 0; layer < data.layers; ++layer) {
    const HeadSpread& spread = data.spreads[static_cast<std::size_t>(layer)];
    for (const double edge : {-0.5, 0.5}) {  // steps as high as the rows
      const double at = static_cast<double>(layer) + edge;
      for (BandMark* band : {&wide, &narrow}) band->x.push_back(at);
      wide.low.push_back(spread.low5);
      wide.high.push_back(spread.high95);
      narrow.low.push_back(spread.low25);
      narrow.high.push_back(spread.high75);
      median.x.push_back(spread.median);
      median.y.push_back(at);
    }
  }
  if (data.metric.isSigned) box.marks.push_back({RuleMarks{true, {0}, {Ink::Muted, 1, Weight::Thin}}});
  box.marks.push_back({std::move(wide)});
  box.marks.push_back({std::move(narrow)});
  box.marks.push_back({std::move(median)});
  return box;
}

}  // namespace

std::string layerTip(const HeadGridData& data, std::int64_t layer) {
  const HeadSpread& spread = data.spreads[static_cast<std::size_t>(layer)];
  const auto text = [&data](double value) { return metricText(value, data.metric); };
  return "<b>layer " + std::to_string(layer) + "</b>, " + data.metric.label + " of " +
         std::to_string(spread.heads) + " heads<br>median " + text(spread.median) + "<br>25\u201375 % " +
         text(spread.low25) + " \u2026 " + text(spread.high75) + "<br>5\u201395 % " + text(spread.low5) +
         " \u2026 " + text(spread.high95);
}

double headGridExtent(const HeadGridData& data) {
  constexpr double kLeast = 0.8;    // cells
  constexpr double kShare = 0.045;  // share of the grid per letter, where cells are narrower than the font
  std::size_t longest = 0;
  for (const std::string& letters : allLetters(data)) longest = std::max(longest, letters.size());
  const double end = HeadGridPlaces(data).headsEnd();
  return end + (longest == 0 ? 0 : std::max(kLeast, static_cast<double>(longest) * kShare * end));
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
  Axis ofHeads = namedAxis(data.members == 1 ? "H" : "KV", heads, headsEnd),
       ofLayers = namedAxis("L", layers, places.layersEnd());
  if (data.order != HeadOrder::Layers || (data.members > 1 && data.heads == 1)) ofHeads.names.clear();
  if (data.order == HeadOrder::Similar) ofLayers.names.clear();
  if (options.groups && data.order == HeadOrder::Layers && data.groupSize > 1 && data.heads > data.groupSize)
    nameGroups(ofHeads, data, heads);
  if (data.order == HeadOrder::Value)
    ofHeads.title = "heads of each layer, lowest to highest|lowest to highest";
  box.x = transposed ? ofLayers : ofHeads;
  box.y = transposed ? ofHeads : ofLayers;
  box.x.opposite = true;
  box.y.reversed = true;
  box.marks.push_back(gridCells(data, heads, layers, transposed));
  auto& cells = std::get<CellMarks>(box.marks.front().kind);
  cells.colours = data.metric.isSigned ? "blue_white_red" : "metrics";
  const auto [low, high] = options.range.value_or(std::pair{data.low, data.high});
  cells.low = low;
  cells.high = high;
  const int power = powerFor(std::max(std::fabs(low), std::fabs(high)));
  if (options.scale)
    box.scale = {cells.colours, low, high, titleWithUnit(data.metric, power), std::pow(10, power)};
  if (headsEnd > places.headsEnd()) {
    const double beside = (places.headsEnd() + headsEnd) / 2;
    TextMarks texts;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      if (letters[i].empty()) continue;
      texts.x.push_back(transposed ? layers[i] : beside);
      texts.y.push_back(transposed ? beside : layers[i]);
      texts.texts.push_back(letters[i]);
    }
    box.marks.push_back({std::move(texts), {}, {}, {}, {}, Layer::Above, false});
  }
  Plot plot;
  plot.oneLine = true;
  plot.legend = gridLegend(data, letters);
  if (options.spreads && !transposed && data.order != HeadOrder::Similar && !data.spreads.empty()) {
    box.beside.push_back(spreadsBox(data, box.y, {low, high}));
    plot.legend.push_back(lineEntry("median of a layer", {Ink::Text}));
    plot.legend.push_back(boxEntry("25\u201375 %", Colour(Ink::Text, kNarrowAlpha + kWideAlpha)));
    plot.legend.push_back(boxEntry("5\u201395 %", Colour(Ink::Text, kWideAlpha)));
  }
  plot.boxes.push_back(std::move(box));
  return plot;
}

// --- A metric by layer ----------------------------------------------------------------------------------

namespace {

Axis depthAxis(const DepthData& data, const ValueRange& range, const ReferenceCurve& published,
               bool intervals) {
  Extent extent;
  if (data.metric.isSigned) extent.add(0);
  for (const Values* values : {&data.values, &published.y}) extent.add(*values);
  // Includes intervals only partly: those of two or three heads may be too wide to see anything else.
  const auto [lowest, highest] = extent.known() ? extent : Extent{0, 1};
  const auto [least, most] = data.metric.range.value_or(std::pair{-HUGE_VAL, HUGE_VAL});
  for (const Values* ends : {&data.means.low, &data.means.high}) {
    for (const double end : *ends)
      if (intervals && std::isfinite(end))
        extent.add(
            std::clamp(end, std::max(least, 2 * lowest - highest), std::min(most, 2 * highest - lowest)));
  }
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
  box.y = depthAxis(data, range, published, intervals);
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
