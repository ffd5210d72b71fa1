// Overlaid models: profiles and quintiles, a metric by relative depth, losses over token position and of
// passages that repeat earlier text.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/base/error.h"
#include "core/figures/figures.h"

namespace plastiscope {

namespace {

bool hasBands(const ComparedProfiles& data) {
  return std::ranges::any_of(data.models, [](const auto& model) { return anyFinite(model.low); });
}

bool hasWhiskers(const ComparedProfiles& data) {
  return std::ranges::any_of(data.models,
                             [](const auto& model) { return anyFinite(model.quintileIntervals.low); });
}

// Text after "published" in the legend: the windows of models where they differ. Nullopt without published
// numbers.
std::optional<std::string> publishedText(const ComparedProfiles& data, bool bars) {
  std::optional<std::string> text;
  for (const ComparedProfile& model : data.models) {
    const ReferenceCurve& curve = bars ? model.publishedQuintiles : model.published;
    if (curve.empty()) continue;
    const std::string window = otherWindowText(curve.window, model.window);
    if (!text)
      text = window;
    else if (*text != window)
      text = ", windows of their own";
  }
  return text;
}

std::string titleOf(const ComparedProfile& model, const std::string& name) {
  return richEscaped(model.head ? name + " " + model.head->text() : name);
}

constexpr std::size_t kMostBars = 6;  // of a quintile; more models are lines

bool quintilesAreLines(const ComparedProfiles& data) {
  return data.models.size() > kMostBars;
}

std::vector<LegendEntry> compareLegend(const ComparedProfiles& data, const CompareOptions& options) {
  const std::vector<SeriesStyle> styles = seriesStyles(comparedNames(data.models));
  const Texts names = shownNames(comparedNames(data.models));
  const bool lines = quintilesAreLines(data), bars = options.parts == CompareParts::Quintiles && !lines;
  std::vector<LegendEntry> legend;
  const std::size_t named = data.models.size() > kMostInLegend ? 0 : data.models.size();
  for (std::size_t m = 0; m < named; ++m) {
    const ComparedProfile& model = data.models[m];
    legend.push_back((bars ? barEntry : seriesEntry)(titleOf(model, names[m]), styles[m]));
    const std::string counts = countText(model.head ? 0 : model.heads, model.examples);
    if (!counts.empty()) legend.back().detail = " (" + counts + ")";
  }
  if (data.showsHeads() && !bars)
    legend.push_back(lineEntry("mean over heads", {Colour(Ink::Text, 0.45), 0.75}));
  if (options.intervals && options.parts != CompareParts::Quintiles && hasBands(data))
    legend.push_back(bandEntry(intervalText(data.profilesOver), Ink::Text));
  if (options.intervals && options.parts != CompareParts::Profiles && hasWhiskers(data) && !lines)
    legend.push_back(whiskerEntry(intervalText(data.quintilesOver)));
  if (const auto published = publishedText(data, bars))
    legend.push_back(publishedEntry("published" + *published, bars));
  return legend;
}

// Range of the profiles with a margin; at least a fifth of the scale, within 0 to 1.
std::pair<double, double> fittingRange(const ComparedProfiles& data, bool intervals) {
  Extent extent;
  for (const ComparedProfile& profile : data.models) {
    for (const Values& values : {profile.mean, profile.headAp, profile.published.y}) extent.add(values);
    for (const Values& ends : {profile.low, profile.high}) extent.add(intervals ? ends : Values());
  }
  if (!extent.known()) return {0, 1};
  const auto [low, high] = extent;
  const double space = std::max(0.06 * (high - low), (0.2 - (high - low)) / 2);
  return {std::max(-0.005, low - space), std::min(1.005, high + space)};
}

// Tips for the mean over heads, or for the head beside it; "" in bins without a value.
Texts profileTips(const ComparedProfile& profile, bool ofHead) {
  Texts tips;
  for (std::size_t bin = 0; bin < profile.tokens.size(); ++bin) {
    const double value = ofHead ? profile.headAp[bin] : profile.mean[bin];
    const Interval interval =
        bin < profile.low.size() ? Interval{profile.low[bin], profile.high[bin]} : Interval();
    std::string tip = "<b>" + richEscaped(profile.model.name) + "</b>" +
                      (ofHead ? " " + profile.head->text() : "") + "<br>position " +
                      numberLabel(std::round(profile.tokens[bin]), 0) + " of " + withCommas(profile.window) +
                      " tokens (" + fixedText(100 * profile.share(bin), 0) + " %)<br>AP " +
                      fixedText(value, 3);
    if (ofHead)
      tip += " of the head" + overText(interval, IntervalOver::Examples);
    else
      tip += ", mean over " + withCommas(profile.meanHeads[bin]) + " heads" +
             overText(profile.head ? Interval() : interval, IntervalOver::Heads);
    tips.push_back(std::isfinite(value) ? tip : "");
  }
  return tips;
}

std::string quintileTip(const ComparedProfile& model, std::size_t k, Interval interval, IntervalOver over) {
  return "<b>" + richEscaped(model.model.name) + "</b><br>" + std::to_string(20 * k) + " to " +
         std::to_string(20 * (k + 1)) + " % of the window<br>AP " + fixedText(model.quintiles[k], 3) + ", " +
         (model.head ? model.head->text() : "mean over " + withCommas(model.quintileHeads[k]) + " heads") +
         overText(interval, over);
}

Box profilesBox(const ComparedProfiles& data, const CompareOptions& options) {
  const std::vector<SeriesStyle> styles = seriesStyles(comparedNames(data.models));
  const Texts names = shownNames(comparedNames(data.models));
  const bool shares = options.axis == PositionAxis::Share;
  constexpr Length kApart{15, 26}, kNever{1e9, 1e9};
  Box box;
  box.x = positionAxis(options.axis, shares ? 1 : static_cast<double>(data.longestWindow()), 1);
  const bool aligned = data.plasticity == ApKind::Aligned;
  box.y.title = aligned ? "aligned plasticity AP|aligned AP|AP" : "plasticity AP|AP";
  box.y.grid = true;
  std::tie(box.y.low, box.y.high) = options.range.value_or(fittingRange(data, options.intervals));
  std::vector<Mark> lines;
  for (std::size_t m = 0; m < data.models.size(); ++m) {
    const ComparedProfile& profile = data.models[m];
    Values x;
    for (std::size_t bin = 0; bin < profile.tokens.size(); ++bin)
      x.push_back(shares ? profile.share(bin) : profile.tokens[bin]);
    const std::string series = titleOf(profile, names[m]);
    const auto ofSeries = [&series](Mark mark) {
      mark.series = series;
      return mark;
    };
    if (options.intervals && !profile.low.empty())
      box.marks.push_back(ofSeries(bandMark(x, profile.low, profile.high, styles[m].colour)));
    const std::int64_t window = profile.published.window > 0 ? profile.published.window : profile.window;
    if (!profile.published.empty())
      lines.push_back(ofSeries(
          publishedMark(profile.published, shares ? 1 : static_cast<double>(window), styles[m].colour)));
    const std::string name = richEscaped(names[m]);
    if (!profile.head) {
      lines.push_back(ofSeries(seriesMark(x, profile.mean, styles[m], name, kApart)));
      lines.back().tips = profileTips(profile, false);
      continue;
    }
    SeriesStyle pale = styles[m];
    pale.colour.alpha = 0.45;
    pale.line = {pale.colour, 0.75};
    lines.push_back(ofSeries(seriesMark(x, profile.mean, pale, name + ", mean over heads", kNever)));
    lines.back().tips = profileTips(profile, false);
    lines.push_back(ofSeries(seriesMark(x, profile.headAp, styles[m], series, kApart)));
    lines.back().tips = profileTips(profile, true);
  }
  box.marks.insert(box.marks.end(), lines.begin(), lines.end());
  if (data.models.size() > kMostInLegend) {
    Values ends;
    for (const ComparedProfile& profile : data.models)
      ends.push_back(lastOf(profile.head ? profile.headAp : profile.mean));
    box.beside.push_back(namesBeside(box, names, styles, ends));
  }
  return box;
}

// One line per model; intervals are in the tool tips.
Box quintileLinesBox(const ComparedProfiles& data, bool named) {
  const std::vector<SeriesStyle> styles = seriesStyles(comparedNames(data.models));
  const Texts names = shownNames(comparedNames(data.models));
  Box box;
  box.x = quintileAxis();
  box.x.title = "query position, quintile of the window|quintile of the window";
  box.y.title = "mean AP";
  box.y.grid = true;
  Extent extent;
  Values ends;
  for (std::size_t m = 0; m < data.models.size(); ++m) {
    const ComparedProfile& model = data.models[m];
    const Values values(model.quintiles.begin(), model.quintiles.end());
    const std::string series = titleOf(model, names[m]);
    ReferenceCurve published = model.publishedQuintiles;
    for (double& x : published.x) x -= 1;
    extent.add(values);
    extent.add(published.y);
    ends.push_back(lastOf(values));
    if (!published.empty()) {
      box.marks.push_back(publishedMark(published, 1, styles[m].colour));
      box.marks.back().series = series;
    }
    box.marks.push_back(seriesMark(placesOf(values.size()), values, styles[m], series));
    box.marks.back().series = series;
    for (std::size_t k = 0; k < values.size(); ++k)
      box.marks.back().tips.push_back(quintileTip(
          model, k, {model.quintileIntervals.low[k], model.quintileIntervals.high[k]}, data.quintilesOver));
  }
  const auto [low, high] = extent.known() ? extent : Extent{0, 1};
  const double space = std::max(0.06 * (high - low), 0.01);
  box.y.low = low - space;
  box.y.high = high + space;
  if (named && data.models.size() > kMostInLegend)
    box.beside.push_back(namesBeside(box, names, styles, ends));
  return box;
}

Box comparedQuintilesBox(const ComparedProfiles& data, bool intervals) {
  const std::vector<SeriesStyle> styles = seriesStyles(comparedNames(data.models));
  Box box;
  box.frame = Frame::Open;
  box.x = quintileAxis();
  box.x.title = "query position, quintile of the window|quintile of the window";
  box.y.title = "mean AP";
  box.y.grid = true;
  BarMarks bars;
  bars.place = BarMarks::Numbers::AboveAllOrNone;
  Values levels, middles;
  Texts levelTips;
  std::vector<Interval> ends;
  Mark mark;
  Extent extent;
  for (std::size_t k = 0; k < 5; ++k) {
    for (std::size_t m = 0; m < data.models.size(); ++m) {
      const ComparedProfile& model = data.models[m];
      const BarPlace place{k, m, data.models.size()};
      const double value = model.quintiles[k],
                   level = model.publishedQuintiles.at(static_cast<double>(k) + 1);
      const Interval interval =
          intervals ? Interval{model.quintileIntervals.low[k], model.quintileIntervals.high[k]} : Interval();
      for (const double reached : {value, level, interval.high}) extent.add(reached);
      addBar(bars, place, value, styles[m], numberLabel(value, 3));
      bars.reach.push_back(interval.known() ? interval.high : std::nan(""));
      mark.tips.push_back(quintileTip(
          model, k, {model.quintileIntervals.low[k], model.quintileIntervals.high[k]}, data.quintilesOver));
      levelTips.push_back(publishedTip(model.publishedQuintiles, "AP " + metricText(level)));
      middles.push_back(place.middle());
      levels.push_back(level);
      ends.push_back(interval);
    }
  }
  box.y.high = extent.high > 0 ? extent.high * 1.45 : 1;  // space for rotated numbers
  bars.levels.push_back(levels);
  const Values left = bars.left, right = bars.right;
  mark.kind = std::move(bars);
  mark.clip = false;
  box.marks.push_back(std::move(mark));
  if (anyKnown(ends)) box.marks.push_back(whiskerMark(middles, ends, {Ink::Text}));
  if (anyFinite(levels)) {
    box.marks.push_back(publishedLevels(left, right, levels));
    box.marks.back().tips = levelTips;
  }
  return box;
}

}  // namespace

Plot comparePlot(const ComparedProfiles& data, const CompareOptions& options) {
  Plot plot;
  plot.legend = compareLegend(data, options);
  if (options.parts != CompareParts::Quintiles) plot.boxes.push_back(profilesBox(data, options));
  if (options.parts != CompareParts::Profiles)
    plot.boxes.push_back(quintilesAreLines(data) ? quintileLinesBox(data, true)
                                                 : comparedQuintilesBox(data, options.intervals));
  if (plot.boxes.size() > 1) plot.boxes.front().height = 1.25;
  return plot;
}

// --- By depth -------------------------------------------------------------------------------------------

namespace {

// Adds the ends of intervals to the values of an axis: at most half of the values' span on each side, since
// intervals of two or three heads are wide.
void addReach(Values& values, const ComparedDepths& data) {
  Extent extent;
  extent.add(values);
  if (!extent.known()) return;
  const auto [low, high] = extent;
  const double most = (high - low) / 2;
  for (const ComparedDepth& model : data.models) {
    for (const Values* ends : {&model.means.low, &model.means.high}) {
      for (const double end : *ends)
        if (std::isfinite(end)) values.push_back(std::clamp(end, low - most, high + most));
    }
  }
}

// Distance between consecutive layers in relative depth.
double layerDistance(const ComparedDepth& model) {
  const LayerMeans& means = model.means;
  if (means.layer.size() < 2) return 0;
  return (model.depth.back() - model.depth.front()) /
         static_cast<double>(means.layer.back() - means.layer.front());
}

Texts depthTips(const ComparedDepths& data, const ComparedDepth& model, const LayerRuns& runs) {
  Texts tips;
  const LayerMeans& means = model.means;
  for (const std::size_t i : runs.of) {
    std::string tip = "<b>" + richEscaped(model.model.name) + "</b><br>layer " +
                      std::to_string(means.layer[i]) + " (depth " + fixedText(model.depth[i], 3) + ")<br>" +
                      data.metric.label + " " + metricText(means.centre[i], data.metric) + ", " +
                      (data.median ? "median" : "mean") + " over " + withCommas(means.heads[i]) + " heads";
    if (i < means.low.size()) tip += overText({means.low[i], means.high[i]}, means.over);
    tips.push_back(tip);
  }
  return tips;
}

}  // namespace

Plot comparedDepthsPlot(const ComparedDepths& data, const ValueRange& range, bool intervalsWanted) {
  const bool intervals = intervalsWanted && data.over != IntervalOver::None;
  Values values;
  const std::vector<ComparedName> models = comparedNames(data.models);
  bool published = false;
  for (const ComparedDepth& model : data.models) {
    append(values, model.means.centre);
    append(values, model.published.y);
    published = published || !model.published.empty();
  }
  if (intervals) addReach(values, data);
  Box box;
  box.x.title = "relative depth of the layer";
  box.x.low = -0.02;
  box.x.high = 1.02;
  box.x.grid = true;
  box.y = valueAxis(data.metric, values, false, range);
  box.y.title = box.y.title.substr(0, box.y.title.find('|')) +
                (data.median ? ", median of the layer|" : ", mean of the layer|") + box.y.title;
  if (data.metric.isSigned) box.marks.push_back(zeroRule());
  const std::vector<SeriesStyle> styles = seriesStyles(models);
  const Texts names = shownNames(models);
  for (std::size_t m = 0; m < models.size() && intervals; ++m) {
    const ComparedDepth& model = data.models[m];
    const LayerRuns runs = layerRuns(model.means, model.depth, kLayerReach * layerDistance(model));
    box.marks.push_back(bandMark(runs.x, runs.low, runs.high, styles[m].colour));
    box.marks.back().series = richEscaped(names[m]);
  }
  Plot plot;
  Values ends;
  for (std::size_t m = 0; m < models.size(); ++m) {
    const ComparedDepth& model = data.models[m];
    const std::string name = richEscaped(names[m]);
    if (!model.published.empty()) {
      box.marks.push_back(publishedMark(model.published, 1, styles[m].colour, data.metric.label));
      box.marks.back().series = name;
    }
    const LayerRuns runs = layerRuns(model.means, model.depth, 0);
    box.marks.push_back(seriesMark(runs.x, runs.centre, styles[m], name));
    box.marks.back().series = name;
    box.marks.back().tips = depthTips(data, model, runs);
    ends.push_back(lastOf(model.means.centre));
    if (models.size() > kMostInLegend) continue;
    plot.legend.push_back(seriesEntry(name, styles[m]));
    const std::string counts = countText(model.heads, model.examples);
    if (!counts.empty()) plot.legend.back().detail = " (" + counts + ")";
  }
  if (intervals) plot.legend.push_back(bandEntry(intervalText(data.over), Ink::Text));
  if (published) plot.legend.push_back(publishedEntry("published", false));
  if (models.size() > kMostInLegend) box.beside.push_back(namesBeside(box, names, styles, ends));
  plot.boxes.push_back(std::move(box));
  return plot;
}

// --- Losses ---------------------------------------------------------------------------------------------

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
  position.y.title = titleForms(what + (difference ? "|difference of the loss" : ""), kLossUnit);
  bars.y.title = titleForms(difference ? "difference of the mean|difference" : "mean loss|loss", kLossUnit);
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
  Values ends;
  Texts shownTitles;
  std::vector<SeriesStyle> shownStyles;
  const bool direct = shown.size() > kMostInLegend;  // names at the ends of lines instead of a legend
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
    ends.push_back(lastOf(values.nll));
    shownTitles.push_back(titles[index]);
    shownStyles.push_back(styles[index]);
    for (std::size_t k = 0; k < std::size(kLossParts); ++k) {
      const double value = values.*kLossParts[k].value;
      addBar(columns, {k, m, shown.size()}, value, styles[index], lossText(value, difference));
      means.add(value);
      mark.tips.push_back("<b>" + richEscaped(shown[m]->model.name) + "</b><br>" + kLossParts[k].tip +
                          "<br>loss " + lossText(value, difference) + " " + kLossUnit +
                          overText((values.*kLossParts[k].texts).test.interval, IntervalOver::ByTexts));
    }
    if (direct) continue;
    plot.legend.push_back(seriesEntry(name, styles[index]));
    plot.legend.back().detail =
        " (" + lossText(values.all, difference) +
        (std::isfinite(values.repeated) ? "; seen before " + lossText(values.repeated, difference)
                                        : std::string()) +
        ")";
  }
  std::tie(position.y.low, position.y.high) = range.value_or(lossReach(places, difference, 0.08));
  std::tie(bars.y.low, bars.y.high) = lossReach(means, true, 0.3);
  if (direct) position.beside.push_back(namesBeside(position, shownTitles, shownStyles, ends));
  mark.kind = std::move(columns);
  mark.clip = false;
  bars.marks.push_back(std::move(mark));
  plot.boxes = {std::move(position), std::move(bars)};
  return plot;
}

}  // namespace plastiscope
