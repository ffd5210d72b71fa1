// Figures on two axes: query and key rows in the plane, its complement, and the maps over distances.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/figures/figures.h"

namespace plastiscope {

namespace {

constexpr std::size_t kComplementColumns = 6;  // 5 x 6 panels, as in the thesis
constexpr std::size_t kMaxTips = 20000;        // larger maps have no tool tips

Axis planeAxis(const PlaneAxis& of, double low, double high) {
  Axis axis;
  axis.title = of.title;
  axis.low = low;
  axis.high = high;
  axis.grid = true;
  return axis;
}

Mark driftMark(const PlaneRows& rows, Ink late) {
  return {.kind = ArrowMark{rows.hasArrow, rows.arrowStart.x, rows.arrowStart.y, rows.arrowEnd.x,
                            rows.arrowEnd.y, rows.centroid.x, rows.centroid.y, late},
          .layer = Layer::Above};
}

LegendEntry rampEntry(const char* text, Ink kind) {
  return {text, {.width = 4, .ramp = kind}};
}

std::vector<LegendEntry> planeLegend(const PlaneData& data, const RowColouring* colouring) {
  if (!colouring || colouring->classes.empty()) {
    const auto last = static_cast<double>(std::max<std::int64_t>(0, data.window - 1));
    return {rampEntry("<b>Q</b>", Ink::Query), rampEntry("<b>K</b>", Ink::Key),
            textEntry(colouring ? colouring->ends : "position 0 \u2026 " + numberLabel(last, 0))};
  }
  std::vector<LegendEntry> entries = {
      pointEntry("<b>Q</b>", {Marker::Circle, Ink::Muted, false, 1.4, Rim::None}),
      pointEntry("<b>K</b>", {Marker::Circle, Ink::Muted, true, 1.4, Rim::Own})};
  for (const RowClass& each : colouring->classes) entries.push_back(boxEntry(each.name, each.colour));
  return entries;
}

}  // namespace

Plot planePlot(const std::shared_ptr<const PlaneData>& data,
               const std::shared_ptr<const RowColouring>& colouring, bool marks) {
  Box box;
  const PlaneRange& range = data->range;
  box.x = planeAxis(data->xAxis, range.xLow, range.xHigh);
  box.y = planeAxis(data->yAxis, range.yLow, range.yHigh);
  box.marks.push_back({CloudMark{data, colouring}});
  if (marks) {
    box.marks.push_back(driftMark(data->key, Ink::LateKey));
    box.marks.push_back(driftMark(data->query, Ink::LateQuery));
  }
  Plot plot;
  plot.oneLine = !colouring || colouring->classes.empty();
  plot.legend = planeLegend(*data, colouring.get());
  if (range.outside > 0) plot.legend.push_back(textEntry(withCommas(range.outside) + " rows outside"));
  plot.boxes.push_back(std::move(box));
  return plot;
}

Plot complementPlot(const std::shared_ptr<const ComplementData>& data) {
  std::vector<PanelPlot> panels;
  for (const ComplementPair& pair : data->pairs) {
    auto plane = std::make_shared<PlaneData>();
    plane->window = data->window;
    plane->xAxis.title = "even direction|even";
    plane->yAxis.title = "odd direction|odd";
    plane->query = pair.query;
    plane->key = pair.key;
    plane->range = {-data->reach, data->reach, -data->reach, data->reach, 0};
    panels.push_back({std::to_string(pair.first) + "\u2013" + std::to_string(pair.first + 1) + ": " +
                          percentLabel(100 * pair.share) + "\u2009%",
                      planePlot(plane, nullptr, false)});
  }
  PanelOptions options;
  options.columns = static_cast<int>(std::min(kComplementColumns, panels.size()));
  options.letters = false;
  options.note = "directions outside {<i>a</i>, <i>b</i>}: share of their variance";
  if (data->shown < data->rows)
    options.note += " \u00b7 " + withCommas(data->shown) + " of " + withCommas(data->rows) + " rows";
  return composePlots(std::move(panels), options);
}

// --- Maps -----------------------------------------------------------------------------------------------

namespace {

// Forms of a count from long to short: "5854|5.9k|6k".
std::string countForms(std::int64_t pairs) {
  const double thousands = static_cast<double>(pairs) / 1000;
  std::string forms;
  if (pairs < 10000) forms = std::to_string(pairs);
  if (pairs >= 1000 && pairs < 10000) forms += "|" + numberLabel(thousands, 1) + "k";
  if (pairs >= 1000 && pairs < 1000000) forms += (forms.empty() ? "" : "|") + numberLabel(thousands, 0) + "k";
  if (pairs >= 1000000) forms = numberLabel(thousands / 1000, 0) + "M";
  return forms;
}

std::vector<std::pair<double, double>> cellEdges(std::int64_t count, std::int64_t cell) {
  std::vector<std::pair<double, double>> edges;
  for (std::int64_t i = 0; i < count; ++i)
    edges.emplace_back(static_cast<double>(i * cell), static_cast<double>((i + 1) * cell));
  return edges;
}

Mark mapCells(const MapData& data, const MapOptions& options) {
  CellMarks cells{cellEdges(data.columns, data.cell),
                  cellEdges(data.rows, data.cell),
                  data.mean,
                  {},
                  options.difference ? "blue_white_red" : "maps"};
  std::tie(cells.low, cells.high) = options.range.value_or(std::pair{0.0, 1.0});
  cells.state.resize(data.count.size());
  std::ranges::transform(data.count, cells.state.begin(), [&data](std::int64_t pairs) {
    return pairs == 0 ? CellState::Empty : pairs < data.minCount ? CellState::Few : CellState::Valued;
  });
  for (std::size_t i = 0; options.counts && i < data.count.size(); ++i)
    cells.texts.push_back(data.count[i] == 0 ? "" : countForms(data.count[i]));
  Mark mark{std::move(cells)};
  for (std::size_t i = 0; i < data.count.size() && data.count.size() <= kMaxTips; ++i)
    mark.tips.push_back(mapTip(data, static_cast<std::int64_t>(i) % data.columns,
                               static_cast<std::int64_t>(i) / data.columns, options.difference));
  return mark;
}

Axis distanceAxis(const std::string& title, double end) {
  Axis axis;
  axis.title = title;
  axis.ticks = Ticks::Tokens;
  axis.high = end;
  return axis;
}

}  // namespace

Plot mapPlot(const MapData& data, const MapOptions& options) {
  const auto end = static_cast<double>(std::max<std::int64_t>(1, data.window));
  Box box;
  box.outside = true;
  const std::string kind = data.plasticity == ApKind::Aligned ? "mean aligned " : "mean ";
  box.x = distanceAxis(titleForms("inter-key distance|distance", "tokens"), end);
  box.y = distanceAxis(titleForms("query to key midpoint|query to midpoint|midpoint", "tokens"), end);
  box.x.lastLabel = tokenLabel(static_cast<double>(data.window), static_cast<double>(data.window));
  box.marks.push_back(mapCells(data, options));
  const auto& cells = std::get<CellMarks>(box.marks.front().kind);
  box.scale = {cells.colours, cells.low, cells.high, options.difference ? "difference of PP" : kind + "PP"};
  // The feasible region: x/2 <= y <= L - x/2.
  const Stroke dashed{Ink::Level, 1, Weight::Thin, {4, 3}};
  box.marks.push_back({.kind = SegmentMarks{{0, 0}, {0, end}, {end, end}, {end / 2, end / 2}, {dashed}},
                       .layer = Layer::Above});
  Plot plot;
  plot.oneLine = true;
  if (const std::int64_t low = data.cellsBelowMinimum(); low > 0) {
    LegendEntry entry = boxEntry("fewer than " + std::to_string(data.minCount) + " pairs", Ink::FewFill);
    entry.detail = low == 1 ? " (1 cell)" : " (" + std::to_string(low) + " cells)";
    entry.symbol.rim = Stroke{Ink::FewHatch, 1, Weight::Thin};
    entry.symbol.hatch = Ink::FewHatch;
    plot.legend.push_back(entry);
  }
  plot.legend.push_back(textEntry(data.scopeText));
  for (const std::string& words : {data.reach, data.note})
    if (!words.empty()) plot.legend.push_back(textEntry(words));
  if (!data.note.empty()) plot.oneLine = false;
  plot.boxes.push_back(std::move(box));
  return plot;
}

std::string mapTip(const MapData& data, std::int64_t column, std::int64_t row, bool difference) {
  const std::size_t index = data.index(column, row);
  const std::int64_t pairs = data.count[index];
  const auto tokens = [](double value) { return numberLabel(value, 0); };
  const auto size = static_cast<double>(data.cell);
  const KeyDistances distances = keyDistances(data, column, row);
  const std::string value = fixedText(data.mean[index], 3), count = tokens(static_cast<double>(pairs));
  std::string tip = pairs == 0 ? "no pairs"
                    : difference
                        ? "<b>PP differs by " + value + "</b> \u00b7 at least " + count + " pairs each"
                        : "<b>PP " + value + "</b> \u00b7 " + count + " pairs";
  if (pairs > 0 && pairs < data.minCount)
    tip += " \u00b7 fewer than " + std::to_string(data.minCount) + ": not coloured";
  return tip + "<br>keys " + tokens(static_cast<double>(column) * size) + " to " +
         tokens(static_cast<double>(column + 1) * size) + " tokens apart<br>query to nearer key about " +
         tokens(distances.nearer) + ", to farther key about " + tokens(distances.farther) + " tokens";
}

namespace {

// Colours of metrics of queries and keys, with the range of the thesis.
struct KindMap {
  const char* column;
  const char* map;
};
constexpr KindMap kKinds[] = {
    {"r_q", "blues"}, {"abs_r_q_a", "blues"}, {"r_k", "reds"}, {"abs_r_k_a", "reds"}};

Extent extentOf(const DepthMapData& data) {
  Extent extent;
  for (const DepthMapRow& row : data.rows) extent.add(row.value);
  return extent.known() ? extent : Extent{0, 1};
}

ColourScale scaleOf(const DepthMapData& data, const ValueRange& range) {
  const auto [low, high] = extentOf(data);
  const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds), [&data](const KindMap& known) {
    return data.metric.column == known.column;
  });
  const bool listed = kind != std::end(kKinds);
  const bool both = data.metric.isSigned && low < -0.05 * std::max(std::fabs(high), std::fabs(low));
  const double reach =
      data.metric.range ? data.metric.range->second : std::max(std::fabs(low), std::fabs(high));
  const double least = data.metric.isSigned || listed ? 0 : low;
  ColourScale scale;
  scale.colours = both ? "blue_white_red" : listed ? kind->map : "viridis";
  std::tie(scale.low, scale.high) = range.value_or(both           ? std::pair{-reach, reach}
                                                   : listed       ? std::pair{0.0, 1.0}
                                                   : high > least ? std::pair{least, high}
                                                                  : std::pair{least, least + 1});
  const Axis axis = valueAxis(data.metric, {}, false, std::pair{scale.low, scale.high});
  scale.unit = axis.unit;
  scale.title = (data.median ? "median " : "") + axis.title.substr(axis.title.rfind('|') + 1);
  return scale;
}

}  // namespace

Plot depthMapPlot(const DepthMapData& data, const ValueRange& range) {
  Box box;
  box.outside = true;
  box.x.title = "relative depth of the layer";
  box.x.lastLabel = "1.0";
  const std::vector<ComparedName> models = comparedNames(data.rows);
  box.y = modelAxis(models, true);
  box.y.low = -0.5;
  box.y.high = static_cast<double>(models.size()) - 0.5;
  box.y.reversed = true;
  box.y.tickMarks = false;
  box.scale = scaleOf(data, range);
  CellMarks cells;
  cells.colours = box.scale->colours;
  cells.low = box.scale->low;
  cells.high = box.scale->high;
  cells.between = CellMarks::Between::Line;
  for (std::size_t d = 0; d < kDepthDeciles; ++d)
    cells.columns.emplace_back(static_cast<double>(d) / 10, static_cast<double>(d) / 10 + 0.1);
  for (std::size_t m = 0; m < data.rows.size(); ++m) {
    cells.rows.emplace_back(static_cast<double>(m) - 0.5, static_cast<double>(m) + 0.5);
    for (const double value : data.rows[m].value) {
      cells.value.push_back(value);
      cells.state.push_back(std::isfinite(value) ? CellState::Valued : CellState::Empty);
      cells.texts.push_back(std::isfinite(value) ? numberLabel(value / box.scale->unit, 2) : "");
    }
  }
  box.marks.push_back({std::move(cells)});
  Plot plot;
  plot.boxes.push_back(std::move(box));
  return plot;
}

}  // namespace plastiscope
