// Attention map of one head and text.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/figures/figures.h"

namespace plastiscope {

namespace {

constexpr double kLeastPower = -6;  // smaller weights have the colour of 10^-6

bool isLogarithmic(const AttentionData& data, const AttentionChoice& choice) {
  return data.quantity == AttentionQuantity::Weight && !choice.linear;
}

// Range of the colours: of logarithms fixed, so that heads and parts are comparable, else that of the middle
// 98 %.
std::pair<double, double> attentionRange(const AttentionData& data, const AttentionChoice& choice,
                                         Values values) {
  if (isLogarithmic(data, choice)) return {kLeastPower, 0};
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return {0, 1};
  std::ranges::sort(values);
  const std::size_t cut = values.size() / 100;
  const double low = data.quantity == AttentionQuantity::Weight ? 0 : values[cut],
               high = values[values.size() - 1 - cut];
  return low < high ? std::pair{low, high} : std::pair{low, low + 1};
}

// `part`: numbers within a text, at which "20K" would be rounded.
Axis tokenAxis(const std::string& title, TokenRange range, bool part) {
  Axis axis;
  axis.title = titleForms(title, "tokens");
  axis.ticks = part ? Ticks::Whole : Ticks::Tokens;
  axis.low = static_cast<double>(range.first);
  axis.high = static_cast<double>(range.end);
  return axis;
}

std::string tokensText(TokenRange range) {
  return range.size() == 1 ? withCommas(range.first)
                           : withCommas(range.first) + "\u2013" + withCommas(range.end - 1);
}

std::string titleOf(const AttentionData& data, const AttentionChoice& choice) {
  const std::string value = nameOf(choice.cells) + " ";
  switch (data.quantity) {
    case AttentionQuantity::Weight:
      return value + (choice.linear ? "weight" : "weight, log<sub>10</sub>");
    case AttentionQuantity::Score:
      return value + "score, logits";
    case AttentionQuantity::Position:
      return value + "score of the distance, logits";
  }
  return value;
}

}  // namespace

Plot attentionPlot(const AttentionData& data, const AttentionOptions& options) {
  const AttentionChoice& choice = options.choice;
  const TokenRange whole{0, data.tokens};
  Box box;
  box.outside = true;
  const bool part = data.keys != whole || data.queries != whole;
  box.x = tokenAxis("key position|key", options.wholeAxes ? whole : data.keys, part);
  box.y = tokenAxis("query position|query", options.wholeAxes ? whole : data.queries, part);
  box.y.reversed = true;
  CellMarks cells;
  cells.colours = "maps";
  for (std::int64_t column = 0; column < data.columns; ++column)
    cells.columns.emplace_back(data.keysOf(column).first, data.keysOf(column).end);
  for (std::int64_t row = 0; row < data.rows; ++row)
    cells.rows.emplace_back(data.queriesOf(row).first, data.queriesOf(row).end);
  for (const float value : choice.cells == CellValue::Max ? data.max : data.mean) {
    const auto number = static_cast<double>(value);
    cells.value.push_back(isLogarithmic(data, choice) && std::isfinite(number)
                              ? std::log10(std::max(number, std::pow(10, kLeastPower)))
                              : number);
    cells.state.push_back(std::isfinite(number) ? CellState::Valued : CellState::Empty);
  }
  std::tie(cells.low, cells.high) = options.range.value_or(attentionRange(data, choice, cells.value));
  box.scale = {cells.colours, cells.low, cells.high, titleOf(data, choice)};
  box.marks.push_back({std::move(cells)});
  if (options.query)
    box.marks.push_back(
        {.kind = RuleMarks{false, {static_cast<double>(*options.query) + 0.5}, {Ink::Selection}},
         .layer = Layer::Above});
  Plot plot;
  plot.legend = {textEntry(data.head.text() + ", " + richEscaped(data.text))};
  const std::string size = withCommas(data.cellQueries) + " \u00d7 " + withCommas(data.cellKeys);
  plot.legend.push_back(textEntry(data.cellQueries * data.cellKeys == 1 ? "cells of one query and one key"
                                                                        : "cells of " + size + " tokens"));
  if (!data.exact())
    plot.legend.push_back(textEntry("from " + withCommas(data.evaluated) + " of " +
                                    withCommas(data.cellQueries) + " queries of each cell"));
  if (std::isfinite(data.positionShare))
    plot.legend.push_back(textEntry("distance explains " + percentLabel(100 * data.positionShare) +
                                    "\u2009% of the variance of the scores"));
  if (!data.rule.empty()) plot.legend.push_back(textEntry(data.rule));
  plot.boxes.push_back(std::move(box));
  return plot;
}

std::string attentionTip(const AttentionData& data, std::int64_t row, std::int64_t column) {
  const auto cell = static_cast<std::size_t>(row * data.columns + column);
  if (!std::isfinite(data.mean[cell])) return "";
  const bool weight = data.quantity == AttentionQuantity::Weight;
  const auto value = [weight](float number) {
    return weight ? metricText(static_cast<double>(number)) : fixedText(static_cast<double>(number), 2);
  };
  return "queries " + tokensText(data.queriesOf(row)) + ", keys " + tokensText(data.keysOf(column)) +
         "<br>largest " + nameOf(data.quantity) + " " + value(data.max[cell]) + ", mean " +
         value(data.mean[cell]);
}

}  // namespace plastiscope
