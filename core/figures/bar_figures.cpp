// Bar figures: principal components and their weights, a metric by model, shares of a whole.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/figures/figures.h"

namespace plastiscope {

namespace {

double largestOf(const Values& values) {
  Extent extent;
  extent.add(0);
  extent.add(values);
  return extent.high;
}

std::string subjectText(const std::string& scope, std::int64_t heads) {
  if (heads <= 1) return scope;
  if (scope.starts_with(withCommas(heads) + " ")) return "mean of " + scope;  // "40 selected heads"
  return "mean of " + withCommas(heads) + " heads" + (scope == "all heads" ? "" : " of " + scope);
}

Axis shareAxis(const std::string& title, double high) {
  Axis axis;
  axis.title = title;
  axis.ticks = Ticks::Percent;
  axis.high = high;
  axis.grid = true;
  return axis;
}

Axis componentAxis(std::size_t count) {
  Axis axis;
  for (std::size_t i = 0; i < count; ++i) axis.names.push_back("PC" + std::to_string(i));
  axis.ticks = Ticks::Names;
  axis.low = -0.6;
  axis.high = static_cast<double>(count) - 0.4;
  return axis;
}

// "34.1 %" without its sign, for numbers above bars; "" when missing.
std::string percentOf(double value) {
  return std::isfinite(value) ? numberLabel(100 * value, 1) : "";
}

// Stems from zero; queries as discs left of the middle, keys as squares right of it.
void addStems(Box& box, const Values& values, bool query) {
  const Colour colour = query ? Ink::Query : Ink::Key;
  const Values x = shifted(placesOf(values.size()), query ? -0.14 : 0.14);
  box.marks.push_back({SegmentMarks{x, Values(values.size(), 0), x, values, {{colour}}}});
  box.marks.push_back(
      {PointMarks{x, values, {query ? Marker::Circle : Marker::Square, colour, false, 1.44, Rim::None}},
       query ? "queries" : "keys"});
}

}  // namespace

Plot componentsPlot(const ComponentsData& data) {
  const std::size_t count = data.explainedVariance.size();
  const Values places = placesOf(count);
  Box shares;
  shares.frame = Frame::Open;
  shares.x = componentAxis(count);
  shares.x.labels = false;
  shares.y =
      shareAxis("explained variance|variance", std::max(0.02, largestOf(data.explainedVariance) * 1.22));
  BarMarks bars{
      shifted(places, -0.36), shifted(places, 0.36), Values(count, 0), data.explainedVariance, {Ink::Bars}};
  for (const double value : data.explainedVariance) bars.numbers.push_back(percentOf(value));
  shares.marks.push_back({std::move(bars)});
  Box signal;
  signal.height = 1.25;
  signal.x = componentAxis(count);
  signal.x.title = "principal component";
  signal.y.title = "<i>r</i> with position|<i>r</i>";
  signal.y.grid = true;
  signal.y.low = -1.05;
  signal.y.high = 1.05;
  signal.marks.push_back(levelRules({data.low, data.high, -data.low, -data.high}, false));
  signal.marks.push_back(zeroRule());
  addStems(signal, data.rQuery, true);
  addStems(signal, data.rKey, false);
  Plot plot;
  plot.oneLine = true;
  plot.legend = {pointEntry("queries", {Marker::Circle, Ink::Query, false, 1.3, Rim::None}),
                 pointEntry("keys", {Marker::Square, Ink::Key, false, 1.3, Rim::None}),
                 textEntry(subjectText(data.scopeText, data.heads))};
  plot.boxes = {std::move(shares), std::move(signal)};
  return plot;
}

Plot weightsPlot(const ComponentWeightsData& data) {
  Box box;
  box.frame = Frame::Open;
  box.x.title = "query dimension";
  box.x.ticks = Ticks::Tokens;
  box.x.low = -0.8;
  box.x.high = static_cast<double>(data.weight.size());
  box.x.lastLabel = std::to_string(data.weight.size());
  const double largest = largestOf(data.weight);
  box.y = shareAxis("share of the linear drift|share of drift", largest > 0 ? largest * 1.08 : 1);
  const Values places = placesOf(data.weight.size());
  BarMarks bars{shifted(places, -0.4), shifted(places, 0.4), Values(places.size(), 0), data.weight};
  Mark mark;
  for (std::size_t i = 0; i < data.weight.size(); ++i) {
    const bool strongest = data.strongestPair >= 0 && data.pairOf[i] == data.strongestPair;
    bars.fills.emplace_back(strongest ? Ink::Selection : Ink::Query);
    mark.tips.push_back("<b>dimension " + std::to_string(i) + "</b> \u00b7 " +
                        (data.pairOf[i] < 0 ? "not rotated" : "RoPE pair " + std::to_string(data.pairOf[i])) +
                        "<br>" + fixedText(100 * data.weight[i], 2) + " %");
  }
  mark.kind = std::move(bars);
  box.marks.push_back(std::move(mark));
  Plot plot;
  plot.oneLine = true;
  if (data.strongestPair >= 0)
    plot.legend.push_back(pointEntry("strongest RoPE pair, " + std::to_string(data.strongestPair) + ": " +
                                         numberLabel(100 * data.strongestShare, 1) + "\u2009%",
                                     {Marker::Square, Ink::Selection, false, 1.4, Rim::None}));
  plot.legend.push_back(textEntry(subjectText(data.scopeText, data.heads)));
  plot.boxes.push_back(std::move(box));
  return plot;
}

// --- A metric by model ----------------------------------------------------------------------------------

namespace {

constexpr double kBarsWidth = 0.76;  // share of a place taken by its bars

SeriesStyle barStyle(const BarData& data, std::size_t series, std::size_t place) {
  if (data.colours == BarColours::Families) return familyStyle(data.places[place].family);
  if (data.colours == BarColours::Kinds)
    return series == 0 ? seriesStyle(Ink::Query, Marker::Circle) : seriesStyle(Ink::Key, Marker::Square);
  return seriesStyle(Ink::Bars, Marker::Ring);
}

Axis barAxis(const BarData& data, ValueRange range, bool intervals) {
  Values reached;
  for (const BarSeries& series : data.series) {
    for (const Values* values : {&series.value, &series.low, &series.high}) append(reached, *values);
    for (const Interval& interval : series.intervals) {
      if (!intervals) break;
      reached.push_back(interval.low);
      reached.push_back(interval.high);
    }
  }
  if (!range && data.metric.range == std::pair{0.0, 1.0} && data.series.size() > 1) range = {0.0, 1.05};
  Axis axis = valueAxis(data.metric, reached, true, range);
  if (data.percent && !range) axis.high *= 1.06;  // room for the numbers
  if (data.percent) {
    axis.ticks = Ticks::Percent;
    axis.unit = 1;
  }
  return axis;
}

void addBars(Box& box, const BarData& data, std::size_t s, bool intervals) {
  const BarSeries& series = data.series[s];
  const double width = kBarsWidth / static_cast<double>(data.series.size()), gap = 0.03 * width;
  const Values left = shifted(placesOf(data.places.size()), -kBarsWidth / 2 + static_cast<double>(s) * width),
               middle = shifted(left, width / 2);
  BarMarks bars{shifted(left, gap), shifted(left, width - gap), Values(left.size(), 0), series.value};
  Mark mark;
  mark.title = series.title;
  for (std::size_t i = 0; i < data.places.size(); ++i) {
    const SeriesStyle style = barStyle(data, s, i);
    bars.fills.push_back(style.colour.faded(0.88));
    if (data.colours != BarColours::Plain) bars.feet.push_back(style.marker);
    if (data.percent) bars.numbers.push_back(percentOf(series.value[i]));
  }
  mark.kind = std::move(bars);
  box.marks.push_back(std::move(mark));
  if (!series.low.empty())
    box.marks.push_back({ErrorBarMarks{middle, series.low, series.high, {{Ink::Text, 0.8}}, {2, 3}}});
  if (intervals && !series.intervals.empty())
    box.marks.push_back(
        (series.low.empty() ? whiskerMark : innerMark)(middle, series.intervals, {Ink::Text}));
}

std::vector<LegendEntry> barLegend(const BarData& data, bool intervals) {
  std::vector<LegendEntry> legend;
  if (data.colours == BarColours::Families) legend = familyLegend(data.places);
  for (std::size_t s = 0; s < data.series.size() && data.colours == BarColours::Kinds; ++s)
    legend.push_back(barEntry(data.series[s].title, barStyle(data, s, 0)));
  const bool quartiles = std::any_of(data.series.begin(), data.series.end(),
                                     [](const BarSeries& one) { return !one.low.empty(); });
  if (quartiles) {
    legend.push_back(whiskerEntry("middle half of the heads"));
    legend.back().symbol.bar = Stroke{Ink::Text, 0.8};
  }
  if (intervals) legend.push_back((quartiles ? innerEntry : whiskerEntry)(intervalText(data.over)));
  if (const std::string counts = countText(data.series.front().heads, {}); !counts.empty())
    legend.push_back(textEntry(counts));
  return legend;
}

}  // namespace

Plot barsPlot(const BarData& data, const ValueRange& range, bool intervalsWanted) {
  const bool intervals =
      intervalsWanted && std::any_of(data.series.begin(), data.series.end(),
                                     [](const BarSeries& one) { return anyKnown(one.intervals); });
  Box box;
  box.frame = Frame::Open;
  box.x = modelAxis(data.places);
  if (data.place == "component") box.x.title = "principal component";
  box.y = barAxis(data, range, intervals);
  std::vector<std::size_t> starts = phaseStarts(data.places, data.windows);
  addPhaseRules(box, starts);
  if (!data.levels.empty()) box.marks.push_back(levelRules(data.levels, false));
  for (std::size_t s = 0; s < data.series.size(); ++s) addBars(box, data, s, intervals);
  box.marks.push_back(zeroRule());
  Plot plot;
  plot.legend = barLegend(data, intervals);
  plot.boxes.push_back(std::move(box));
  return plot;
}

// --- Shares of a whole ----------------------------------------------------------------------------------

namespace {

// Colours of the variance along a, along b, and outside the plane, from strong to faint.
Colour partColour(const ComparedShares& data, std::size_t part) {
  static const Colour kVariance[] = {{0x4b5560, 0xcfd6db}, {0x9aa5ad, 0x8b969e}, {0xdfe3e6, 0x3f464c}};
  return data.id == "taxonomy" ? taxonomyColour(part) : kVariance[std::min<std::size_t>(part, 2)];
}

}  // namespace

Plot comparedSharesPlot(const ComparedShares& data) {
  Box box;
  box.frame = Frame::Open;
  box.x = shareAxis(data.id == "taxonomy" ? "share of the heads"
                                          : "share of the variance of queries and keys|share of the variance",
                    1);
  box.x.grid = false;
  box.x.lastLabel = "100\u2009%";
  box.y = modelAxis(data.models, true);
  box.y.reversed = true;
  box.y.tickMarks = false;
  Plot plot;
  for (std::size_t part = 0; part < data.names.size(); ++part) {
    const Colour fill = partColour(data, part);
    BarMarks bars;
    bars.lying = true;
    bars.fills = {fill};
    bars.rim = Stroke{Ink::Ground, 1, Weight::Thin, {}, Length{0.25, 0.8}};
    bars.place = BarMarks::Numbers::Inside;
    for (std::size_t m = 0; m < data.models.size(); ++m) {
      double from = 0;
      for (std::size_t before = 0; before < part; ++before)
        from += data.share[m][before] > 0 ? data.share[m][before] : 0;
      const double share = data.share[m][part];
      if (!std::isfinite(share) || share <= 0) continue;
      bars.left.push_back(from);
      bars.right.push_back(from + share);
      bars.bottom.push_back(static_cast<double>(m) - 0.31);
      bars.top.push_back(static_cast<double>(m) + 0.31);
      bars.numbers.push_back(numberLabel(100 * share, 0) + "\u2009%");
    }
    box.marks.push_back({std::move(bars), data.titles[part]});
    plot.legend.push_back(boxEntry(data.titles[part], fill));
  }
  plot.boxes.push_back(std::move(box));
  return plot;
}

}  // namespace plastiscope
