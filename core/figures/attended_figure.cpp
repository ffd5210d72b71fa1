// What a head looks at: attention by groups of keys and fifth of the window, entropy, parts of the scores.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/figures/figures.h"

namespace plastiscope {

namespace {

const Colour kPartB(0x009e73, 0x3cc29a);
struct AttendedPartInfo {
  const char* title;
  Colour colour;
};
const std::array<AttendedPartInfo, kScoreParts> kAttendedParts = {
    {{"<i>a</i>", Ink::Query}, {"<i>b</i>", kPartB}, {"rest", Ink::Bars}}};

// Classes at their places on the axis, groups with a gap between them.
struct PlacedClasses {
  std::vector<const AttendedClass*> classes;
  Values at;
  void add(const std::vector<AttendedClass>& group) {
    for (const AttendedClass& one : group) {
      const double last = at.empty() ? -1 : at.back();
      at.push_back(last + (&one == &group.front() && !at.empty() ? 1.5 : 1));
      classes.push_back(&one);
    }
  }
};

std::string shareTip(const AttendedData& data, const AttendedClass& one, std::size_t column) {
  const AttendedShare& share = one.share[column];
  const auto percent = [](double value) { return percentLabel(100 * value) + " %"; };
  std::string tip = "<b>" + richEscaped(one.key.title) + "</b>, " +
                    (column == 0 ? "all" : "fifth " + std::to_string(column)) + ": " +
                    withCommas(data.queries[column]) + " queries";
  if (std::isfinite(share.attention.value))
    tip += "<br>" + percent(share.attention.value) + " of the attention" +
           overText(share.attention.interval, IntervalOver::Examples) + "<br>" + percent(share.keys) +
           " of the " + (data.dense ? "keys" : "captured keys") + "<br>" + percent(share.top) +
           " of the queries score one highest";
  return tip + (one.key.rule.empty() ? "" : "<br><i>" + richEscaped(one.key.rule) + "</i>");
}

Axis classAxis(const PlacedClasses& placed) {
  Axis axis;
  axis.ticks = Ticks::AllNames;
  axis.tickMarks = false;
  axis.reversed = true;
  axis.low = -0.6;
  axis.high = (placed.at.empty() ? 0 : placed.at.back()) + 0.6;
  axis.places = placed.at;
  for (const AttendedClass* one : placed.classes) axis.names.push_back(one->key.title);
  return axis;
}

// Bars of all queries, and lines where attention without preference would be.
Box barsBeside(const AttendedData& data, const PlacedClasses& placed, const Axis& classes) {
  Box box;
  box.width = {46, 84};
  box.y = classes;
  box.y.labels = false;
  box.x.title = "all";
  box.x.ticks = Ticks::Percent;
  box.x.grid = true;
  box.x.tickMarks = false;
  BarMarks bars;
  bars.lying = true;
  bars.fills = {Ink::Query};
  SegmentMarks levels{{}, {}, {}, {}, {{Ink::Text, 1.4}}},
      whiskers{{}, {}, {}, {}, {{Ink::Text, 1, Weight::Thin}}};
  Texts tips;
  Extent reached{0, 0.1};
  for (std::size_t i = 0; i < placed.classes.size(); ++i) {
    const AttendedShare& share = placed.classes[i]->share[0];
    const double y = placed.at[i];
    bars.left.push_back(0);
    bars.right.push_back(share.attention.value);
    bars.bottom.push_back(y + 0.38);
    bars.top.push_back(y - 0.38);
    levels.x0.push_back(share.keys);
    levels.x1.push_back(share.keys);
    levels.y0.push_back(y - 0.42);
    levels.y1.push_back(y + 0.42);
    tips.push_back(shareTip(data, *placed.classes[i], 0));
    for (const double value : {share.attention.value, share.keys}) reached.add(value);
  }
  box.x.high = std::min(1.0, 1.05 * reached.high);
  box.marks.push_back({.kind = std::move(bars), .tips = tips});
  box.marks.push_back({.kind = std::move(levels), .layer = Layer::Above});
  return box;
}

Plot classesPlot(const AttendedData& data, const PlacedClasses& placed) {
  Box box;
  box.frame = Frame::None;
  box.x = quintileAxis();
  box.x.low = -0.5;
  box.x.high = 4.5;
  box.x.title = "query position, fifth of the window|fifth of the window";
  box.y = classAxis(placed);
  CellMarks cells;
  cells.colours = "queries";
  cells.between = CellMarks::Between::Gap;
  for (std::size_t fifth = 0; fifth < kFifths; ++fifth)
    cells.columns.emplace_back(static_cast<double>(fifth) - 0.5, static_cast<double>(fifth) + 0.5);
  Extent reached{0, 0.2};
  Mark mark;
  for (std::size_t i = 0; i < placed.classes.size(); ++i) {
    cells.rows.emplace_back(placed.at[i] - 0.5, placed.at[i] + 0.5);
    for (std::size_t column = 1; column <= kFifths; ++column) {
      const double share = placed.classes[i]->share[column].attention.value;
      cells.value.push_back(share);
      cells.state.push_back(std::isfinite(share) ? CellState::Valued : CellState::Unknown);
      cells.texts.push_back(std::isfinite(share) ? fixedText(100 * share, share < 0.095 ? 1 : 0) : "");
      mark.tips.push_back(shareTip(data, *placed.classes[i], column));
      reached.add(share);
    }
  }
  cells.high = reached.high;
  mark.kind = std::move(cells);
  box.marks.push_back(std::move(mark));
  box.beside.push_back(barsBeside(data, placed, box.y));
  Plot plot;
  plot.boxes.push_back(std::move(box));
  return plot;
}

Mark lineOf(const AttendedData& data, const std::string& title, MeanOverTexts AttendedBin::*value,
            const Stroke& stroke, Box& box) {
  LineMark line{{}, {}, stroke};
  Values low, high;
  Mark mark;
  for (const AttendedBin& bin : data.bins) {
    const MeanOverTexts& mean = bin.*value;
    line.x.push_back((bin.from + bin.to) / 2);
    line.y.push_back(mean.value);
    low.push_back(mean.interval.low);
    high.push_back(mean.interval.high);
    mark.tips.push_back("tokens " + numberLabel(bin.from, 0) + " to " + numberLabel(bin.to, 0) + "<br>" +
                        title + " " + fixedText(mean.value, 3) +
                        overText(mean.interval, IntervalOver::Examples) + "<br>entropy " +
                        fixedText(bin.entropy.value, 2) + " nats");
  }
  if (anyFinite(low)) box.marks.push_back(bandMark(line.x, low, high, stroke.colour));
  mark.title = title;
  mark.kind = std::move(line);
  return mark;
}

Plot attendedPositionsPlot(const AttendedData& data) {
  Plot plot;
  Box curves;
  curves.x =
      positionAxis(PositionAxis::Tokens, static_cast<double>(std::max<std::int64_t>(1, data.window)), 1);
  curves.y.grid = true;
  curves.y.title = "entropy and share|";
  const std::array<std::tuple<const char*, MeanOverTexts AttendedBin::*, Stroke>, 2> lines = {
      {{"entropy / ln(keys)", &AttendedBin::relative, {Ink::Text}},
       {"attention to the first token", &AttendedBin::first, {Ink::Key}}}};
  for (const auto& [title, value, stroke] : lines) {
    Mark mark = lineOf(data, title, value, stroke, curves);
    if (!anyFinite(std::get<LineMark>(mark.kind).y)) continue;
    curves.marks.push_back(std::move(mark));
    plot.legend.push_back(lineEntry(title, stroke));
  }
  Box parts;
  parts.height = 0.75;
  parts.x = quintileAxis();
  parts.y.title = "share of the variance of scores|share of scores|";
  for (std::size_t part = 0; part < kScoreParts; ++part) {
    BarMarks bars;
    bars.fills = {kAttendedParts[part].colour};
    bars.place = BarMarks::Numbers::Inside;
    Mark mark;
    for (std::size_t fifth = 0; fifth < kFifths; ++fifth) {
      const auto& shares = data.parts[fifth + 1];
      double from = 0;
      for (std::size_t before = 0; before < part; ++before) from += shares[before].value;
      const MeanOverTexts& share = shares[part];
      const auto x = static_cast<double>(fifth);
      bars.left.push_back(x - kHalfBar);
      bars.right.push_back(x + kHalfBar);
      bars.bottom.push_back(from);
      bars.top.push_back(from + share.value);
      mark.tips.push_back(std::string(kAttendedParts[part].title) + " " + fixedText(share.value, 3) +
                          overText(share.interval, IntervalOver::Examples));
    }
    mark.title = kAttendedParts[part].title;
    if (!anyFinite(bars.top)) continue;
    mark.kind = std::move(bars);
    parts.marks.push_back(std::move(mark));
    plot.legend.push_back(
        boxEntry(std::string("score on ") + kAttendedParts[part].title, kAttendedParts[part].colour));
  }
  plot.boxes.push_back(std::move(curves));
  if (!parts.marks.empty()) plot.boxes.push_back(std::move(parts));
  return plot;
}

Plot partPlot(const AttendedData& data, AttendedPart part) {
  PlacedClasses placed;
  if (part == AttendedPart::Kinds) {
    placed.add(data.of(KeyGrouping::Place));
    placed.add(data.of(KeyGrouping::Type));
  } else if (part == AttendedPart::Distance || part == AttendedPart::Tokens) {
    placed.add(data.of(part == AttendedPart::Tokens ? KeyGrouping::Token : KeyGrouping::Distance));
  }
  return part == AttendedPart::Positions ? attendedPositionsPlot(data) : classesPlot(data, placed);
}

std::vector<LegendEntry> commonLegend(const AttendedData& data) {
  return {textEntry("<b>" + data.head.text() + "</b>, " + richEscaped(scopeText(data)))};
}

}  // namespace

Plot attendedPlot(const AttendedData& data, AttendedPart part) {
  Plot plot = partPlot(data, part);
  std::vector<LegendEntry> legend = commonLegend(data);
  if (part != AttendedPart::Positions) {
    legend.push_back(boxEntry("% of the attention", Ink::Query));
    legend.push_back(lineEntry("% of the keys", {Ink::Text, 1.4}));
  }
  plot.legend.insert(plot.legend.begin(), legend.begin(), legend.end());
  return plot;
}

Plot attendedPlot(const AttendedData& data) {
  std::vector<PanelPlot> panels;
  for (const auto& [part, title, some] :
       {std::tuple(AttendedPart::Kinds, "places and types of keys", true),
        {AttendedPart::Distance, "distance, tokens", true},
        {AttendedPart::Tokens, "tokens with the most attention", !data.of(KeyGrouping::Token).empty()},
        {AttendedPart::Positions, "entropy, first token, scores", true}})
    if (some) panels.push_back({title, attendedPlot(data, part)});
  PanelOptions options;
  options.columns = 2;
  options.unlike = true;
  return composePlots(std::move(panels), options);
}

}  // namespace plastiscope
