// Trajectories over models, and a metric of several models by depth.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/compare/measures.h"
#include "core/figures/figures.h"

namespace plastiscope {

namespace {

const Colour kGap = Colour(0x8b5cf6, 0xb18be8).faded(0.22, 0.18);
const Colour kBias(0x009E73, 0x2cc79a);

// Adds the ends of the intervals to the values of a series.
void addReach(Values& reached, const TrajectorySeries& series) {
  for (const Interval& interval : series.intervals) {
    reached.push_back(interval.low);
    reached.push_back(interval.high);
  }
}

std::string countsOf(const TrajectoryData& data) {
  return countText(data.series.front().heads, data.examples);
}

// Intervals at places with a value.
std::vector<Interval> shownIntervals(const TrajectorySeries& series) {
  std::vector<Interval> intervals = series.intervals;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    if (!std::isfinite(series.middle[i])) intervals[i] = {};
  }
  return intervals;
}

// Published values as levels as wide as a bar.
void addLevels(Box& box, const TrajectorySeries& series, const std::vector<Colour>& colours) {
  Values x, y;
  std::vector<Colour> of;
  Texts tips;
  for (std::size_t i = 0; i < series.published.size(); ++i) {
    if (series.published[i].empty()) continue;
    x.push_back(series.published[i].x.front());
    y.push_back(series.published[i].y.front());
    of.push_back(colours[i % colours.size()]);
    tips.push_back(publishedTip(series.published[i],
                                series.metric.label + " " + comparedText(y.back(), series.metric, true)));
  }
  if (x.empty()) return;
  box.marks.push_back(publishedLevels(shifted(x, -kHalfBar), shifted(x, kHalfBar), y, of));
  box.marks.back().tips = tips;
}

// One standard deviation on both sides, where known.
Mark spreadBand(const TrajectorySeries& series, const Colour& colour) {
  BandMark band;
  for (std::size_t i = 0; i < series.middle.size(); ++i) {
    if (!std::isfinite(series.middle[i]) || !std::isfinite(series.sd[i])) continue;
    band.x.push_back(static_cast<double>(i));
    band.low.push_back(series.middle[i] - series.sd[i]);
    band.high.push_back(series.middle[i] + series.sd[i]);
  }
  band.fill = colour.faded(0.16);
  return {std::move(band)};
}

// "mean over 12 heads, SD 0.1 (95 %: ... over heads)" for each place.
Texts seriesTips(const TrajectoryData& data, const TrajectorySeries& series) {
  Texts tips;
  for (std::size_t i = 0; i < series.middle.size(); ++i) {
    const bool published = !data.published.empty() || (i < series.heads.size() && series.heads[i] == 0);
    std::string tip = "<b>" + richEscaped(data.models[i].name) + "</b><br>" + series.metric.label + " " +
                      comparedText(series.middle[i], series.metric, published) + ", " +
                      (series.median ? "median" : "mean");
    if (i < series.heads.size()) tip += " over " + withCommas(series.heads[i]) + " heads";
    if (std::isfinite(series.sd[i])) tip += ", SD " + metricText(series.sd[i], series.metric);
    if (i < series.intervals.size()) tip += overText(series.intervals[i], series.over);
    tips.push_back(tip);
  }
  return tips;
}

// Centre values of a series: a line through the checkpoints of a run, separate points for other models.
Mark middlesMark(const TrajectoryData& data, std::size_t s, const SeriesStyle& style) {
  const TrajectorySeries& series = data.series[s];
  const Values x = placesOf(data.models.size());
  if (data.run) return seriesMark(x, series.middle, style, series.metric.label);
  return {PointMarks{x, series.middle, style.mark(1.45)}, series.metric.label};
}

Box modelsBox(const TrajectoryData& data) {
  Box box;
  box.x = modelAxis(data.models);
  if (data.run) addPhaseRules(box, phaseStarts(data.models, data.windows));
  return box;
}

Box endsBox(const TrajectoryData& data, const ValueRange& range, bool intervals,
            const std::vector<SeriesStyle>& styles) {
  const ReferenceCurve published[] = {data.series[0].publishedCurve(), data.series[1].publishedCurve()};
  Values values;
  for (std::size_t s = 0; s < 2; ++s) {
    append(values, data.series[s].middle);
    append(values, published[s].y);
    if (intervals) addReach(values, data.series[s]);
  }
  Box box = modelsBox(data);
  box.height = 3;
  box.x.labels = false;
  box.y = valueAxis(data.series[0].metric, values, false, range);
  box.y.title = "AP";
  const Values x = placesOf(data.models.size());
  if (data.run)
    box.marks.push_back({BandMark{x, data.series[0].middle, data.series[1].middle, kGap}});
  else  // no line between models
    box.marks.push_back({SegmentMarks{
        x, data.series[0].middle, x, data.series[1].middle, {{kGap, 1, Weight::Line, {}, Length{4, 7}}}}});
  for (std::size_t s = 0; s < 2; ++s) {
    if (published[s].empty()) continue;
    box.marks.push_back(publishedMark(published[s], 1, styles[s].colour));
    box.marks.back().tips.clear();
    for (const ReferenceCurve& curve : data.series[s].published)
      box.marks.back().tips.push_back(curve.empty() ? ""
                                                    : publishedTip(curve, data.series[s].metric.label + " " +
                                                                              metricText(curve.y.front())));
  }
  for (std::size_t s = 0; s < 2 && intervals; ++s)
    box.marks.push_back(whiskerMark(x, shownIntervals(data.series[s]), {styles[s].colour}));
  for (std::size_t s = 0; s < 2; ++s) {
    box.marks.push_back(middlesMark(data, s, styles[s]));
    box.marks.back().tips = seriesTips(data, data.series[s]);
  }
  return box;
}

Box biasBox(const TrajectoryData& data, bool intervals) {
  const TrajectorySeries& series = data.series[2];
  Values reached = series.publishedCurve().y;
  if (intervals) addReach(reached, series);
  append(reached, series.middle);
  Box box = modelsBox(data);
  box.height = 1.7;  // the thesis' heights are 3 : 1.3, without the names below
  box.y = valueAxis(series.metric, reached, true, {});
  box.y.title = box.y.title.substr(box.y.title.rfind('|') + 1);
  const Values x = placesOf(data.models.size());
  box.marks.push_back(
      {BarMarks{shifted(x, -kHalfBar), shifted(x, kHalfBar), Values(x.size(), 0), series.middle, {kBias}}});
  box.marks.back().tips = seriesTips(data, series);
  if (intervals) box.marks.push_back(whiskerMark(x, shownIntervals(series), {Ink::Text}));
  addLevels(box, series, {Ink::Text});
  box.marks.push_back(zeroRule());
  return box;
}

bool hasSpread(const TrajectoryData& data) {
  return std::ranges::any_of(data.series, [](const auto& series) { return anyFinite(series.sd); });
}

}  // namespace

Plot checkpointsPlot(const TrajectoryData& data, const ValueRange& range, bool intervalsWanted) {
  const bool intervals = intervalsWanted && anyKnown(data.series.front().intervals);
  const std::vector<SeriesStyle> styles = {seriesStyle(Ink::Query, Marker::Circle),
                                           seriesStyle(Ink::Key, Marker::Square)};
  Plot plot;
  for (std::size_t s = 0; s < 2; ++s)
    plot.legend.push_back(seriesEntry(data.series[s].metric.label, styles[s]));
  plot.legend.push_back(boxEntry("AP<sub>drop</sub>", kGap));
  if (intervals) plot.legend.push_back(whiskerEntry(intervalText(data.series[0].over)));
  if (!data.series[0].publishedCurve().empty() || !data.series[1].publishedCurve().empty())
    plot.legend.push_back(publishedEntry("published", false));
  if (const std::string counts = countsOf(data); !counts.empty()) plot.legend.push_back(textEntry(counts));
  plot.boxes = {endsBox(data, range, intervals, styles), biasBox(data, intervals)};
  return plot;
}

Plot trajectoryPlot(const TrajectoryData& data, const ValueRange& range, bool intervalsWanted) {
  const TrajectorySeries& series = data.series.front();
  const bool intervals = intervalsWanted && anyKnown(series.intervals);
  Values reached = series.publishedCurve().y;
  if (intervals) addReach(reached, series);
  Values low, high;
  for (std::size_t i = 0; i < series.middle.size(); ++i) {
    low.push_back(series.middle[i] - series.sd[i]);
    high.push_back(series.middle[i] + series.sd[i]);
  }
  append(reached, series.middle);
  append(reached, low);
  append(reached, high);
  Box box = modelsBox(data);
  box.y = valueAxis(series.metric, reached, false, range);
  if (series.metric.isSigned) box.marks.push_back(zeroRule());
  std::vector<SeriesStyle> styles = seriesStyles(data.models);
  for (std::size_t i = 0; i < styles.size() && !data.published.empty(); ++i)
    styles[i] = familyStyle(data.models[i].family);
  const Values x = placesOf(data.models.size());
  std::vector<Colour> colours;
  std::vector<Stroke> spreads;
  for (const SeriesStyle& style : styles) {
    colours.push_back(style.colour);
    spreads.push_back({style.colour});
  }
  if (data.run) {
    LineMark path{x, series.middle, {Ink::Bars, 1, Weight::Line, {3.2, 2.0}}};
    path.noTips = true;
    box.marks.push_back({std::move(path)});
  }
  addLevels(box, series, colours);
  box.marks.push_back({ErrorBarMarks{x, low, high, spreads, {2, 4}}});
  if (intervals) box.marks.push_back(innerMark(x, shownIntervals(series), colours));
  const Texts tips = seriesTips(data, series);
  for (std::size_t i = 0; i < x.size(); ++i)
    box.marks.push_back({PointMarks{{x[i]}, {series.middle[i]}, styles[i].mark(1.9)}, {}, {}, {}, {tips[i]}});
  Plot plot;
  std::string text = series.median     ? "median over heads"
                     : hasSpread(data) ? "mean over heads \u00b1 SD"
                                       : "mean over heads";
  if (const std::string counts = countsOf(data); !counts.empty()) text += " (" + counts + ")";
  LegendEntry middle = pointEntry(text, {Marker::Circle, Ink::Text, false, 1.5}, 1.2);
  if (hasSpread(data)) middle.symbol.bar = Stroke{Ink::Text};
  plot.legend = {middle};
  if (intervals) plot.legend.push_back(innerEntry(intervalText(series.over)));
  if (!series.publishedCurve().empty()) plot.legend.push_back(publishedEntry("published", true));
  plot.boxes.push_back(std::move(box));
  return plot;
}

namespace {

// From slightly below zero to 1, or lower if correlations are.
std::pair<double, double> signalRange(const TrajectoryData& data) {
  double low = -0.2;
  for (const TrajectorySeries& series : data.series) {
    for (std::size_t i = 0; i < series.middle.size(); ++i) {
      const double end = series.middle[i] - (std::isfinite(series.sd[i]) ? series.sd[i] : 0);
      if (std::isfinite(end)) low = std::min(low, end - 0.03);
    }
  }
  return {std::max(-1.05, low), 1.05};
}

}  // namespace

Plot signalPlot(const TrajectoryData& data, const ValueRange& range, bool intervalsWanted) {
  const bool intervals = intervalsWanted && anyKnown(data.series.front().intervals);
  const std::vector<SeriesStyle> styles = {seriesStyle(Ink::Query, Marker::Circle),
                                           seriesStyle(Ink::Key, Marker::Square)};
  const Values x = placesOf(data.models.size());
  Box box = modelsBox(data);
  box.y.title = "mean <i>r</i> with position|<i>r</i>";
  box.y.grid = true;
  std::tie(box.y.low, box.y.high) = range.value_or(signalRange(data));
  for (std::size_t s = 0; s < 2 && data.run; ++s)
    box.marks.push_back(spreadBand(data.series[s], styles[s].colour));
  box.marks.push_back(zeroRule());
  for (std::size_t s = 0; s < 2 && intervals; ++s)
    box.marks.push_back(whiskerMark(x, shownIntervals(data.series[s]), {styles[s].colour}));
  Plot plot;
  for (std::size_t s = 0; s < 2; ++s) {
    box.marks.push_back(middlesMark(data, s, styles[s]));
    box.marks.back().tips = seriesTips(data, data.series[s]);
    plot.legend.push_back(seriesEntry(data.series[s].metric.label, styles[s]));
  }
  if (hasSpread(data) && data.run) plot.legend.push_back(textEntry("shaded: \u00b1 SD over heads"));
  if (intervals) plot.legend.push_back(whiskerEntry(intervalText(data.series.front().over)));
  if (const std::string counts = countsOf(data); !counts.empty()) plot.legend.push_back(textEntry(counts));
  plot.boxes.push_back(std::move(box));
  return plot;
}

}  // namespace plastiscope
