// Figures on why AP falls with position (placement, content) and what determines scores (position, salience).
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/figures/figures.h"

namespace plastiscope {

namespace {

std::string estimateText(const std::string& name, const SplitPart& estimate) {
  return estimateText(name, estimate.value, estimate.interval);
}

// Adds the units behind the intervals of a split: "95 % over examples".
void addOver(Plot& plot, const SplitPart& estimate) {
  const std::string name = overName(estimate.interval, estimate.over);
  if (!name.empty()) plot.legend.push_back(textEntry("95 % over " + name));
}

// Edges halfway between midpoints; the first and last bins are as wide as their neighbours.
std::vector<std::pair<double, double>> edgesOf(const Values& middles) {
  std::vector<std::pair<double, double>> edges;
  for (std::size_t i = 0; i < middles.size(); ++i) {
    const double before = i > 0 ? middles[i] - middles[i - 1] : 0,
                 after = i + 1 < middles.size() ? middles[i + 1] - middles[i] : before;
    edges.emplace_back(middles[i] - (i > 0 ? before : after) / 2, middles[i] + after / 2);
  }
  return edges;
}

Axis binAxis(const std::string& title, const std::vector<std::pair<double, double>>& edges) {
  Axis axis;
  axis.title = title;
  axis.ticks = Ticks::Tokens;
  if (edges.empty()) return axis;
  axis.low = std::max(0.0, edges.front().first);
  axis.high = edges.back().second;
  return axis;
}

// Distances 0, 1, 2, 4, ... at 0, 1, 2, 3, ...
double placeOfDistance(double tokens) {
  return tokens < 1 ? tokens : 1 + std::log2(tokens);
}

}  // namespace

Plot placementPlot(const PlacementData& data, const ValueRange& range) {
  Box box;
  box.outside = true;
  const auto columns = edgesOf(data.position), rows = edgesOf(data.content);
  box.x =
      binAxis(titleForms("position that the queries are put at|position put at|position", "tokens"), columns);
  box.y = binAxis(titleForms("position that they come from|comes from|content", "tokens"), rows);
  CellMarks cells{columns, rows, data.ap, {}, "maps"};
  std::tie(cells.low, cells.high) = range.value_or(std::pair{0.0, 1.0});
  for (const double value : data.ap)
    cells.state.push_back(std::isfinite(value) ? CellState::Valued : CellState::Empty);
  box.scale = {cells.colours, cells.low, cells.high, "aligned AP"};
  Mark mark{std::move(cells)};
  for (std::size_t u = 0; u < data.content.size(); ++u) {
    for (std::size_t v = 0; v < data.position.size(); ++v)
      mark.tips.push_back("<b>AP " + fixedText(data.at(u, v), 3) + "</b><br>queries of position " +
                          numberLabel(data.content[u], 0) + ", put at " + numberLabel(data.position[v], 0));
  }
  box.marks.push_back(std::move(mark));
  const Stroke diagonal{Ink::Selection, 1, Weight::Line, {}, {}, true};
  LineMark line{{}, {}, diagonal};
  line.noTips = true;
  for (const double tau : data.content) {
    if (std::ranges::count(data.position, tau) == 0) continue;
    line.x.push_back(tau);
    line.y.push_back(tau);
  }
  box.marks.push_back({.kind = std::move(line), .layer = Layer::Above});
  Plot plot;
  plot.legend = {
      textEntry(data.scopeText), lineEntry("where they are", diagonal),
      textEntry(estimateText("drop", data.drop) + " = " + estimateText("placement", data.ofPlacement) +
                " + " + estimateText("content", data.ofContent))};
  addOver(plot, data.ofContent);
  plot.boxes.push_back(std::move(box));
  return plot;
}

Plot saliencePlot(const SalienceData& data, const ValueRange& range) {
  Box box;
  box.x.title = titleForms("distance between query and key|distance", "tokens");
  box.x.ticks = Ticks::Names;
  box.y.title = titleForms("score by distance|score", "logits");
  box.x.grid = box.y.grid = true;
  Values x;
  Texts tips;
  Extent extent;
  for (std::size_t i = 0; i < data.distance.size(); ++i) {
    x.push_back(placeOfDistance(data.distance[i]));
    box.x.names.push_back(tokenLabel(data.distance[i], data.distance.back()));
    tips.push_back("<b>" + numberLabel(data.distance[i], 0) + " tokens apart</b><br>mean vectors " +
                   metricText(data.field[i]) + "<br>measured " + metricText(data.measured[i]) + " \u00b7 " +
                   withCommas(data.pairs[i]) + " pairs");
  }
  box.x.places = x;
  for (const Values* values : {&data.field, &data.measured}) extent.add(*values);
  const auto [low, high] = extent.known() ? extent : Extent{0, 1};
  const double space = high > low ? 0.06 * (high - low) : 0.5;
  std::tie(box.y.low, box.y.high) = range.value_or(std::pair{low - space, high + space});
  box.x.low = -0.4;
  box.x.high = (x.empty() ? 1 : x.back()) + 0.4;
  const Stroke field{Ink::Selection};
  const MarkerStyle measured{Marker::Circle, Ink::Text, true, 1, Rim::Own};
  box.marks.push_back(zeroRule());
  LineMark line{x, data.field, field};
  line.noTips = true;
  box.marks.push_back({std::move(line)});
  box.marks.push_back({.kind = PointMarks{x, data.measured, measured}, .tips = tips});
  Plot plot;
  plot.legend = {textEntry(data.scopeText), lineEntry("mean vectors, \u03b2(<i>D</i>)", field),
                 pointEntry("measured mean score", measured),
                 textEntry("rigidity: " + estimateText("position", data.ofPosition) + ", " +
                           estimateText("salience of keys", data.ofSalience))};
  addOver(plot, data.ofSalience);
  plot.boxes.push_back(std::move(box));
  return plot;
}

}  // namespace plastiscope
