// Loss figures of captures: over token position, and for passages that repeat earlier text.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/base/error.h"
#include "core/figures/figures.h"

namespace plastiscope {

namespace {

// The three means of a capture, in display order.
struct LossPart {
  const char *name, *tip;
  double ComparedLoss::*value;
  LossTexts ComparedLoss::*texts;
};
constexpr LossPart kLossParts[] = {{"all tokens", "all tokens", &ComparedLoss::all, &ComparedLoss::ofAll},
                                   {"seen before", "tokens that end a passage seen before",
                                    &ComparedLoss::repeated, &ComparedLoss::ofRepeated},
                                   {"seen first", "the same tokens where their passage stood first",
                                    &ComparedLoss::first, &ComparedLoss::ofFirst}};

std::pair<double, double> lossReach(Extent extent, bool fromZero, double above) {
  if (fromZero) extent.add(0);
  if (!extent.known()) return {0, 1};
  const auto [low, high] = extent;
  const double span = std::max(high - low, 1e-4);
  return {fromZero && low >= 0 ? 0 : low - 0.08 * span, fromZero && high <= 0 ? 0 : high + above * span};
}

Texts lossTips(const ComparedLoss& loss, const ComparedLoss& values, bool difference) {
  Texts tips;
  for (std::size_t i = 0; i < values.nll.size(); ++i) {
    if (!std::isfinite(values.nll[i])) {
      tips.emplace_back();
      continue;
    }
    tips.push_back("<b>" + richEscaped(loss.model.name) + "</b><br>tokens " +
                   withCommas(static_cast<long long>(loss.from[i])) + " to " +
                   withCommas(static_cast<long long>(loss.to[i])) + "<br>" +
                   (difference ? "loss " + lossText(values.nll[i], true) + ", that is " : "loss ") +
                   lossText(loss.nll[i], false) + " " + kLossUnit +
                   overText(values.texts[i].test.interval, IntervalOver::ByTexts) + ", mean of " +
                   withCommas(static_cast<long long>(loss.tokens[i])) + " tokens");
  }
  return tips;
}

}  // namespace

Plot lossPlot(const ComparedLosses& data, const ValueRange& range) {
  const ComparedLoss* baseline = data.baseline();
  std::vector<const ComparedLoss*> shown;
  for (const ComparedLoss& model : data.models) {
    if (model.known()) shown.push_back(&model);
  }
  const bool difference = shown.size() > 1;
  const std::vector<ComparedName> names = comparedNames(data.models);
  const std::vector<SeriesStyle> styles = seriesStyles(names);
  const Texts titles = shownNames(names);
  const auto indexOf = [&](const ComparedLoss* model) {
    return static_cast<std::size_t>(model - data.models.data());
  };
  if (difference) std::erase(shown, baseline);
  Plot plot;
  Box position, bars;
  position.x = positionAxis(PositionAxis::Share, 1, 1);
  position.x.title = "position of the token (share of the window)|position of the token";
  position.y.grid = bars.y.grid = true;
  const std::string what = difference ? "loss less " + richEscaped(titles[indexOf(baseline)]) : "loss";
  position.y.title = what + ", " + kLossUnit + "|" + (difference ? "difference of the loss" : "loss");
  bars.y.title = difference ? "difference of the mean|difference" : "mean loss|loss";
  bars.frame = Frame::Open;
  bars.x.ticks = Ticks::AllNames;
  bars.x.tickMarks = false;
  bars.x.low = -0.55;
  bars.x.high = 2.55;
  bars.height = 0.8;
  for (const LossPart& part : kLossParts) bars.x.names.emplace_back(part.name);
  if (difference) {
    position.marks.push_back(zeroRule());
    bars.marks.push_back(zeroRule());
  }
  Extent places, means;
  BarMarks columns;
  columns.place = BarMarks::Numbers::AboveAllOrNone;
  Mark mark;
  for (std::size_t m = 0; m < shown.size(); ++m) {
    const std::size_t index = indexOf(shown[m]);
    const ComparedLoss values = difference ? lossDifference(*baseline, *shown[m]) : *shown[m];
    const std::string name = richEscaped(titles[index]);
    position.marks.push_back(seriesMark(values.share, values.nll, styles[index], name, {8, 14}));
    position.marks.back().series = name;
    position.marks.back().tips = lossTips(*shown[m], values, difference);
    places.add(values.nll);
    for (std::size_t k = 0; k < std::size(kLossParts); ++k) {
      const double value = values.*kLossParts[k].value;
      addBar(columns, {k, m, shown.size()}, value, styles[index], lossText(value, difference));
      means.add(value);
      mark.tips.push_back("<b>" + richEscaped(shown[m]->model.name) + "</b><br>" + kLossParts[k].tip +
                          "<br>loss " + lossText(value, difference) + " " + kLossUnit +
                          overText((values.*kLossParts[k].texts).test.interval, IntervalOver::ByTexts));
    }
    plot.legend.push_back(seriesEntry(name, styles[index]));
    plot.legend.back().detail =
        " (" + lossText(values.all, difference) +
        (std::isfinite(values.repeated) ? "; seen before " + lossText(values.repeated, difference)
                                        : std::string()) +
        ")";
  }
  std::tie(position.y.low, position.y.high) = range.value_or(lossReach(places, difference, 0.08));
  std::tie(bars.y.low, bars.y.high) = lossReach(means, true, 0.3);
  mark.kind = std::move(columns);
  mark.clip = false;
  bars.marks.push_back(std::move(mark));
  plot.boxes = {std::move(position), std::move(bars)};
  return plot;
}

}  // namespace plastiscope
