// Figures of groups of heads: their heads beside others in one metric, and differences in many.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/figures/figures.h"

namespace plastiscope {

namespace {

constexpr double kSide = 0.2, kStripReach = 0.13;  // of a strip, from the place of its group
constexpr double kFoundQ = 0.05;
const Colour kOtherHeads = Colour(Ink::Bars, 0.55);

// Points around a place, spread so that most differ.
Values spreadAround(double place, std::size_t count) {
  constexpr double kGolden = 0.6180339887498949;
  Values x;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i + 1) * kGolden;
    x.push_back(place + kStripReach * (2 * (share - std::floor(share)) - 1));
  }
  return x;
}

Mark stripOf(double place, const std::vector<HeadName>& heads, const Values& values, const MarkerStyle& style,
             const MetricInfo& metric) {
  Mark mark{PointMarks{spreadAround(place, values.size()), values, style}};
  for (std::size_t i = 0; i < heads.size(); ++i)
    mark.tips.push_back("<b>" + heads[i].text() + "</b><br>" + metric.label + " " +
                        metricText(values[i], metric));
  return mark;
}

Mark meanLevel(double place, double mean, const Stroke& stroke, const std::string& tip) {
  const double reach = 1.25 * kStripReach;
  return {.kind = SegmentMarks{{place - reach}, {mean}, {place + reach}, {mean}, {stroke}},
          .tips = {tip},
          .layer = Layer::Above};
}

std::string contrastNumbers(const GroupContrast& contrast, const MetricInfo& metric) {
  const auto number = [&](double value) { return metricText(value, metric); };
  std::string text = number(contrast.difference);
  if (contrast.interval.known())
    text += " [" + number(contrast.interval.low) + ", " + number(contrast.interval.high) + "]";
  return text;
}

std::string plural(std::int64_t count, const std::string& one) {
  return withCommas(count) + " " + one + (count == 1 ? "" : "s");
}

}  // namespace

Plot groupStripsPlot(const GroupStrips& data, const ValueRange& range) {
  const MetricInfo metric = describeMetric(data.metric);
  const Stroke level{Ink::Text, 1.6};
  Values all;
  Box box;
  Plot plot;
  for (std::size_t g = 0; g < data.groups.size(); ++g) {
    const GroupStrip& strip = data.groups[g];
    const GroupContrast& contrast = strip.contrast;
    const SeriesStyle style = groupStyle(strip.group, g);
    const double left = static_cast<double>(g) - kSide, right = static_cast<double>(g) + kSide;
    append(all, strip.values);
    append(all, strip.otherValues);
    box.x.names.push_back(richEscaped(strip.group.name));
    box.marks.push_back(stripOf(right, strip.others, strip.otherValues,
                                {Marker::Circle, kOtherHeads, false, 1, Rim::None}, metric));
    box.marks.push_back(stripOf(left, strip.heads, strip.values, style.mark(1.3), metric));
    const std::string tip = "<b>" + richEscaped(strip.group.name) + "</b><br>mean " +
                            metricText(contrast.mean, metric) + ", " + comparedWith(contrast) + " " +
                            metricText(contrast.otherMean, metric) + "<br>difference " +
                            contrastNumbers(contrast, metric) + "<br>" + testText(contrast);
    if (contrast.interval.known()) {
      const Interval ends{contrast.otherMean + contrast.interval.low,
                          contrast.otherMean + contrast.interval.high};
      all.insert(all.end(), {ends.low, ends.high});
      box.marks.push_back(whiskerMark({left}, {ends}, {Ink::Text}));
      box.marks.back().layer = Layer::Above;
    }
    box.marks.push_back(meanLevel(right, contrast.otherMean, level, tip));
    box.marks.push_back(meanLevel(left, contrast.mean, level, tip));
    LegendEntry entry = pointEntry(richEscaped(strip.group.name) + ": " + plural(contrast.heads, "head") +
                                       ", " + richEscaped(testText(contrast)),
                                   style.mark(1.3));
    entry.beginsLine = true;
    plot.legend.push_back(std::move(entry));
  }
  box.x.ticks = Ticks::AllNames;
  box.x.tickMarks = false;
  box.x.low = -0.5;
  box.x.high = static_cast<double>(data.groups.size()) - 0.5;
  box.x.slant = data.groups.size() > 6 ? 40 : 0;
  box.y = plainValueAxis(metric, all, range);
  box.y.grid = true;
  if (metric.isSigned) box.marks.insert(box.marks.begin(), zeroRule());
  plot.legend.push_back(pointEntry(richEscaped(comparedWith(data.groups.front().contrast)),
                                   {Marker::Circle, kOtherHeads, false, 1, Rim::None}));
  plot.legend.back().beginsLine = true;
  plot.legend.push_back(lineEntry("mean", level));
  if (std::ranges::any_of(data.groups, [](const GroupStrip& each) { return each.contrast.interval.known(); }))
    plot.legend.push_back(whiskerEntry("95 % of the difference, over key heads"));
  plot.boxes.push_back(std::move(box));
  return plot;
}

Plot groupContrastsPlot(const HeadGroups& groups, const std::vector<GroupContrast>& contrasts,
                        const ValueRange& range) {
  Texts metrics;
  for (const GroupContrast& each : contrasts) {
    if (std::ranges::count(metrics, each.metric) == 0) metrics.push_back(each.metric);
  }
  Box box;
  box.y.ticks = Ticks::AllNames;
  box.y.reversed = true;
  box.y.tickMarks = false;
  box.y.low = -0.6;
  box.y.high = static_cast<double>(metrics.size()) - 0.4;
  for (const std::string& metric : metrics) box.y.names.push_back(describeMetric(metric).title);
  box.x.title = "difference / standard deviation of heads|difference / SD";
  box.x.grid = true;
  box.marks.push_back({RuleMarks{true, {0}, {Ink::Muted, 1, Weight::Thin}}});
  Extent extent;
  extent.add(0);
  Plot plot;
  bool anyFound = false, anyNot = false;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const SeriesStyle style = groupStyle(groups[g], g);
    const double aside = 0.5 * ((static_cast<double>(g) + 0.5) / static_cast<double>(groups.size()) - 0.5);
    SegmentMarks whiskers;
    whiskers.strokes = {{style.colour, 1, Weight::Thin}};
    Mark found{PointMarks{{}, {}, style.mark(1.3)}}, other = found;
    std::get<PointMarks>(other.kind).style.hollow = true;
    std::get<PointMarks>(other.kind).style.rim = Rim::Own;
    std::int64_t heads = 0;
    for (const GroupContrast& each : contrasts) {
      if (each.group != groups[g].name || !std::isfinite(each.effect)) continue;
      const auto row = std::ranges::find(metrics, each.metric) - metrics.begin();
      const double y = static_cast<double>(row) + aside;
      const double scale = each.difference == 0 ? kMissing : each.effect / each.difference;
      const bool isFound = each.q < kFoundQ;
      (isFound ? anyFound : anyNot) = true;
      heads = std::max(heads, each.heads);
      extent.add(each.effect);
      if (each.interval.known() && std::isfinite(scale)) {
        whiskers.x0.push_back(each.interval.low * scale);
        whiskers.x1.push_back(each.interval.high * scale);
        whiskers.y0.push_back(y);
        whiskers.y1.push_back(y);
        extent.add(whiskers.x0.back());
        extent.add(whiskers.x1.back());
      }
      Mark& mark = isFound ? found : other;
      auto& points = std::get<PointMarks>(mark.kind);
      points.x.push_back(each.effect);
      points.y.push_back(y);
      const MetricInfo metric = describeMetric(each.metric);
      mark.tips.push_back("<b>" + richEscaped(each.group) + "</b> \u00b7 " + metric.label + "<br>" +
                          metricText(each.mean, metric) + ", " + comparedWith(each) + " " +
                          metricText(each.otherMean, metric) + "<br>difference " +
                          contrastNumbers(each, metric) + "<br>" + testText(each) +
                          (std::isfinite(each.q) ? ", q = " + fixedText(each.q, 3) : ""));
    }
    box.marks.push_back({std::move(whiskers)});
    box.marks.push_back(std::move(other));
    box.marks.push_back(std::move(found));
    plot.legend.push_back(
        pointEntry(richEscaped(groups[g].name) + " (" + plural(heads, "head") + ")", style.mark(1.3)));
  }
  const double space = 0.05 * (extent.high - extent.low) + 0.05;
  std::tie(box.x.low, box.x.high) = range.value_or(std::pair{extent.low - space, extent.high + space});
  plot.legend.push_back(textEntry("compared with " + richEscaped(comparedWith(contrasts.front()))));
  plot.legend.push_back(textEntry("lines: 95 % over key heads"));
  if (anyFound)
    plot.legend.push_back(pointEntry("<i>q</i> &lt; 0.05", {Marker::Circle, Ink::Text, false, 1.3}));
  if (anyNot)
    plot.legend.push_back(
        pointEntry("<i>q</i> \u2265 0.05 or no test", {Marker::Circle, Ink::Text, true, 1.3, Rim::Own}));
  plot.boxes.push_back(std::move(box));
  return plot;
}

}  // namespace plastiscope
