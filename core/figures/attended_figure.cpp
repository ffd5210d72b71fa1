// Figure of what a head looks at: attention by groups of keys and fifth of the window, entropy, parts of the
// scores.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/figures/figures.h"

namespace plastiscope {

namespace {

using Classes = std::vector<const AttendedClass*>;  // one below the other

std::string shareTip(const AttendedData& data, const AttendedClass& one, std::size_t column) {
  const AttendedShare& share = one.share[column];
  const auto percent = [](double value) { return percentLabel(100 * value) + " %"; };
  std::string tip = "<b>" + richEscaped(one.key.title) + "</b>, " +
                    (column == 0 ? "all" : "fifth " + std::to_string(column)) + ": " +
                    withCommas(data.queries[column]) + " queries";
  const auto& [value, interval] = share.value;
  if (!std::isfinite(share.keys))
    return tip + "<br>" + fixedText(value, 3) + overText(interval, IntervalOver::Examples);
  tip += "<br>" + percent(value) + " of the attention" + overText(interval, IntervalOver::Examples) + "<br>" +
         percent(share.keys) + " of the " + (data.dense ? "keys" : "captured keys") + "<br>" +
         percent(share.top) + " of the queries score one highest";
  return tip + (one.key.rule.empty() ? "" : "<br><i>" + richEscaped(one.key.rule) + "</i>");
}

Axis classAxis(const Classes& classes) {
  Axis axis;
  axis.ticks = Ticks::Names;
  axis.tickMarks = false;
  axis.reversed = true;
  axis.low = -0.6;
  axis.high = static_cast<double>(classes.size()) - 0.4;
  for (const AttendedClass* one : classes) axis.names.push_back(one->key.title);
  return axis;
}

// Bars of all queries, and lines where attention without preference would be.
Box barsBeside(const AttendedData& data, const Classes& classes, const Axis& axis) {
  Box box;
  box.width = {40, 84};
  box.y = axis;
  box.y.labels = false;
  box.x.title = "all";
  box.x.ticks = Ticks::Percent;
  box.x.grid = true;
  box.x.tickMarks = false;
  BarMarks bars;
  bars.lying = true;
  bars.fills = {Ink::Query};
  SegmentMarks levels{{}, {}, {}, {}, {{Ink::Text, 1.4}}};
  Texts tips;
  Extent reached{0, 0.1};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const AttendedShare& share = classes[i]->share[0];
    const auto y = static_cast<double>(i);
    bars.left.push_back(0);
    bars.right.push_back(share.value.value);
    bars.bottom.push_back(y + 0.38);
    bars.top.push_back(y - 0.38);
    if (std::isfinite(share.keys)) {
      for (Values* x : {&levels.x0, &levels.x1}) x->push_back(share.keys);
      levels.y0.push_back(y - 0.42);
      levels.y1.push_back(y + 0.42);
    }
    tips.push_back(shareTip(data, *classes[i], 0));
    for (const double value : {share.value.value, share.keys}) reached.add(value);
  }
  box.x.high = std::min(1.0, 1.05 * reached.high);
  box.marks.push_back({.kind = std::move(bars), .tips = tips});
  box.marks.push_back({.kind = std::move(levels), .layer = Layer::Above});
  return box;
}

// `ofKeys`: colours show by how much the attention differs from the share of the keys; else the values.
Plot classesPlot(const AttendedData& data, const Classes& classes, bool ofKeys) {
  Box box;
  box.frame = Frame::None;
  box.x.low = -0.5;
  box.x.high = 4.5;
  box.x.names = {"1", "2", "3", "4", "5"};
  box.x.ticks = Ticks::AllNames;
  box.x.tickMarks = false;
  box.x.title = "position of the query, fifth of the window|fifth of the window|fifth";
  box.y = classAxis(classes);
  CellMarks cells;
  cells.colours = ofKeys ? "blue_white_red" : "queries";
  cells.between = CellMarks::Between::Gap;
  for (std::size_t fifth = 0; fifth < kFifths; ++fifth)
    cells.columns.emplace_back(static_cast<double>(fifth) - 0.5, static_cast<double>(fifth) + 0.5);
  Extent reached{0, 0.2};
  Mark mark;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto y = static_cast<double>(i);
    cells.rows.emplace_back(y - 0.5, y + 0.5);
    for (std::size_t column = 1; column <= kFifths; ++column) {
      const double share = classes[i]->share[column].value.value,
                   shown = ofKeys ? classes[i]->share[column].excess() : share;
      cells.value.push_back(shown);
      cells.state.push_back(std::isfinite(share) ? CellState::Valued : CellState::Unknown);
      cells.texts.push_back(std::isfinite(share) ? fixedText(100 * share, share < 0.095 ? 1 : 0) : "");
      mark.tips.push_back(shareTip(data, *classes[i], column));
      reached.add(std::fabs(shown));
    }
  }
  cells.high = reached.high;
  cells.low = ofKeys ? -reached.high : 0;
  mark.kind = std::move(cells);
  box.marks.push_back(std::move(mark));
  box.beside.push_back(barsBeside(data, classes, box.y));
  Plot plot;
  plot.boxes.push_back(std::move(box));
  return plot;
}

// Entropy and attention to the first token in steps finer than fifths, with intervals over texts.
Plot stepsPlot(const AttendedData& data) {
  Plot plot;
  Box box;
  box.x = positionAxis(PositionAxis::Tokens, data.steps.back().to, data.steps.back().to);
  box.y.ticks = Ticks::Percent;
  box.y.grid = true;
  Extent reached{0, 0.1};
  for (const auto& [title, style, measure] :
       {std::tuple("entropy / ln(keys)", seriesStyle(Ink::Query, Marker::Circle), &AttendedStep::entropy),
        {"first token", seriesStyle(Ink::Key, Marker::Square), &AttendedStep::first}}) {
    Values x, y, low, high;
    Texts tips;
    for (const AttendedStep& step : data.steps) {
      const MeanOverTexts& mean = step.*measure;
      x.push_back((step.from + step.to) / 2);
      y.push_back(mean.value);
      low.push_back(mean.interval.low);
      high.push_back(mean.interval.high);
      tips.push_back("<b>" + std::string(title) + "</b>, tokens " + numberLabel(step.from, 0) + " to " +
                     numberLabel(step.to, 0) + "<br>" + percentLabel(100 * mean.value) + " %" +
                     overText(mean.interval, IntervalOver::Examples) + "<br>" + withCommas(step.queries) +
                     " queries");
      for (const double value : {y.back(), high.back()}) reached.add(value);
    }
    if (!anyFinite(y)) continue;
    box.marks.push_back(bandMark(x, low, high, style.colour));
    box.marks.push_back(seriesMark(x, y, style, title, {8, 14}));
    box.marks.back().tips = tips;
    plot.legend.push_back(seriesEntry(title, style));
  }
  box.y.high = std::min(1.02, 1.08 * reached.high);
  plot.legend.push_back(bandEntry(intervalText(IntervalOver::Examples), Ink::Text));
  plot.boxes.push_back(std::move(box));
  return plot;
}

Plot fifthsPlot(const AttendedData& data, AttendedPart part) {
  const bool ofKeys = part != AttendedPart::Measures;
  Classes classes;
  for (const AttendedClass& one : ofKeys ? data.groups[static_cast<std::size_t>(part)] : data.measures)
    if (std::isfinite(one.share[0].value.value) && one.key.name != "entropy")  // nats are no share
      classes.push_back(&one);
  Plot plot = classesPlot(data, classes, ofKeys);
  plot.oneLine = true;
  plot.legend = {boxEntry(ofKeys ? "% of the attention" : "%", Ink::Query)};
  if (ofKeys) {
    plot.legend.push_back(lineEntry("% of the keys", {Ink::Text, 1.4}));
    plot.legend.push_back(boxEntry("more attention than keys", Colour(0xdd7058, 0xdd7058)));
    plot.legend.push_back(boxEntry("less", Colour(0x5b93c7, 0x5b93c7)));
  }
  return plot;
}

}  // namespace

Plot attendedPlot(const AttendedData& data, AttendedPart part) {
  Plot plot = fifthsPlot(data, part);
  if (part == AttendedPart::Measures && !data.steps.empty()) {
    const Plot steps = stepsPlot(data);
    plot.boxes.push_back(steps.boxes.front());
    plot.legend.insert(plot.legend.end(), steps.legend.begin(), steps.legend.end());
  }
  return plot;
}

Plot attendedPlot(const AttendedData& data, int columns) {
  std::vector<PanelPlot> panels;
  for (const auto& [part, title] : {std::pair(AttendedPart::Place, "place of the key"),
                                    {AttendedPart::Type, "type of the key"},
                                    {AttendedPart::Distance, "distance, tokens"},
                                    {AttendedPart::Token, "tokens with the most attention"},
                                    {AttendedPart::Measures, "entropy, sink and scores"}})
    if (part == AttendedPart::Measures || !data.groups[static_cast<std::size_t>(part)].empty())
      panels.push_back({title, fifthsPlot(data, part)});
  const std::size_t ofFifths = panels.size();
  if (!data.steps.empty()) panels.push_back({"entropy and first token by position", stepsPlot(data)});
  PanelOptions options;
  options.columns = columns;
  options.unlike = true;
  Plot plot = composePlots(std::move(panels), options);
  for (std::size_t i = 0; i + static_cast<std::size_t>(columns) < ofFifths; ++i) {
    Box& box = plot.panels[i].boxes.front();
    for (Axis* axis : {&box.x, &box.beside.front().x}) axis->title.clear();  // below the last ones
  }
  plot.legend.insert(plot.legend.begin(),
                     textEntry("<b>" + data.head.text() + "</b>, " + richEscaped(scopeText(data))));
  return plot;
}

}  // namespace plastiscope
