// Plasticity over query position: profiles and quintiles, of one model and of several.
#include <algorithm>
#include <cmath>

#include "core/figures/figures.h"

namespace plastiscope {

namespace {

constexpr double kLevelReach = kHalfBar * 1.32;  // levels are a little wider than bars

const ReferenceCurve* shownCurve(const ProfileOptions& options, ReferenceCurve PublishedProfile::*which) {
  if (options.published == nullptr || ((*options.published).*which).empty()) return nullptr;
  return &((*options.published).*which);
}

const QuintileIntervals* wantedIntervals(const ProfileData& data, const ProfileOptions& options) {
  return options.intervals ? shownIntervals(data) : nullptr;
}

double windowOf(const ProfileData& data) {
  return static_cast<double>(std::max<std::int64_t>(1, data.field->window));
}

std::string meanText(const ProfileField& field) {
  return "mean of " + numberLabel(static_cast<double>(field.heads.size()), 0) + " heads" +
         (field.scopeText == "all heads" ? "" : " of " + field.scopeText) +
         (field.corrected ? ", bias-corrected" : "");
}

bool bandShown(const ProfileData& data, const ProfileOptions& options) {
  return options.intervals && data.chosen && !data.field->apLow.empty();
}

bool meanBandShown(const ProfileData& data, const ProfileOptions& options) {
  const Values& low = data.field->meanLow;
  return options.intervals && std::any_of(low.begin(), low.end(), [](double v) { return std::isfinite(v); });
}

bool isFew(const ProfileData& data, std::size_t bin) {
  return data.field->pairs[data.field->index(*data.chosen, bin)] < ProfileData::kFewPairs;
}

// The chosen head's part of [heads * bins].
Values ofChosen(const ProfileData& data, const Values& all) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(data.field->index(*data.chosen, 0));
  return {first, first + static_cast<std::ptrdiff_t>(data.field->bins())};
}

constexpr Ink kChosen = Ink::Selection;

// Orange with a casing; bins with few pairs hollow on a pale line.
void addChosen(Box& box, const ProfileData& data) {
  const ProfileField& field = *data.field;
  const Values all = ofChosen(data, field.ap);
  Values sure = all, few = all;
  Texts tips;
  for (std::size_t b = 0; b < field.bins(); ++b) {
    (isFew(data, b) ? sure : few)[b] = std::nan("");
    tips.push_back(profileTip(data, b));
  }
  LineMark pale{field.tau, all, {Colour(kChosen, 0.45), 1, Weight::Line, {}, {}, true}};
  pale.noTips = true;
  LineMark solid{field.tau, sure, {kChosen}};
  solid.noTips = true;
  const auto slots = static_cast<double>(field.bins());
  const PointMarks points{field.tau, sure, {Marker::Circle, kChosen, false, 1, Rim::None}, slots},
      hollow{field.tau, few, {Marker::Circle, kChosen, true, 1, Rim::Own}, slots};
  const std::string name = field.heads[*data.chosen].text();
  box.marks.push_back({pale});
  box.marks.push_back({solid});
  box.marks.push_back({points, name, {}, {}, tips});
  box.marks.push_back({hollow, name, {}, {}, tips});
}

MissingMarks missingOf(const ProfileField& field, const Values& values) {
  MissingMarks missing;
  for (std::size_t b = 0; b < field.bins(); ++b) {
    if (std::isfinite(values[b])) continue;
    const bool goesOn = b > 0 && !std::isfinite(values[b - 1]);
    if (goesOn)
      missing.spans.back().second = field.end[b];
    else
      missing.spans.emplace_back(field.start[b], field.end[b]);
  }
  return missing;
}

std::vector<LegendEntry> profileLegend(const ProfileData& data, const ProfileOptions& options) {
  const ProfileField& field = *data.field;
  const ReferenceCurve* published = shownCurve(options, &PublishedProfile::profile);
  std::vector<LegendEntry> legend;
  bool few = false;
  if (data.chosen) {
    LegendEntry head = lineEntry(field.heads[*data.chosen].text(), {kChosen});
    head.symbol.marker = MarkerStyle{Marker::Circle, kChosen, false, 1, Rim::None};
    legend.push_back(head);
    for (std::size_t b = 0; b < field.bins(); ++b)
      few = few || (std::isfinite(field.ap[field.index(*data.chosen, b)]) && isFew(data, b));
    if (bandShown(data, options))
      legend.push_back(bandEntry(intervalText(IntervalOver::Examples, field.examples), kChosen));
  }
  legend.push_back(lineEntry(meanText(field), meanStroke()));
  if (meanBandShown(data, options)) legend.push_back(bandEntry(intervalText(IntervalOver::Heads), Ink::Text));
  if (published != nullptr)
    legend.push_back(
        publishedEntry(nameOf(*published) + otherWindowText(published->window, field.window), false));
  legend.push_back(lineEntry("heads", {Colour(Ink::OtherHeads, 0.8), 1, Weight::Thin}));
  if (few)
    legend.push_back(pointEntry("&lt; " + std::to_string(ProfileData::kFewPairs) + " pairs",
                                {Marker::Circle, kChosen, true, 1, Rim::Own}));
  if (options.parts == ProfileParts::Both && !bandShown(data, options) &&
      wantedIntervals(data, options) != nullptr && shownIntervalsOver(data) == IntervalOver::Examples)
    legend.push_back(whiskerEntry(intervalText(IntervalOver::Examples, field.examples)));
  return legend;
}

Box profileBox(const ProfileData& data, const ProfileOptions& options) {
  const auto& field = data.field;
  const PositionAxis axis = positionAxisOf(data, options);
  Box box;
  box.x = positionAxis(axis, profileEnd(data, options), windowOf(data));
  box.y.title = "plasticity AP|AP";
  box.y.grid = true;
  std::tie(box.y.low, box.y.high) = options.range.value_or(std::pair{0.0, 1.0});
  const auto add = [&box](Mark mark, Layer layer) {
    mark.layer = layer;
    box.marks.push_back(std::move(mark));
  };
  add({missingOf(*field, data.chosen ? ofChosen(data, field->ap) : field->mean)}, Layer::Below);
  add({LinesMark{field, &field->tau, &field->ap, {Ink::OtherHeads, 1, Weight::Thin}}}, Layer::Main);
  if (meanBandShown(data, options))
    add(bandMark(field->tau, field->meanLow, field->meanHigh, Ink::Text), Layer::Above);
  if (const ReferenceCurve* published = shownCurve(options, &PublishedProfile::profile)) {
    const bool own = axis == PositionAxis::Tokens && published->window > 0;
    add(publishedMark(*published, own ? static_cast<double>(published->window) : windowOf(data)),
        Layer::Above);
  }
  if (bandShown(data, options))
    add(bandMark(field->tau, ofChosen(data, field->apLow), ofChosen(data, field->apHigh), kChosen),
        Layer::Above);
  Texts tips;
  for (std::size_t b = 0; b < field->bins(); ++b) tips.push_back(profileTip(data, b));
  add({LineMark{field->tau, field->mean, meanStroke()}, meanText(*field), {}, {}, tips}, Layer::Above);
  const std::size_t others = box.marks.size();
  if (data.chosen) addChosen(box, data);
  for (std::size_t i = others; i < box.marks.size(); ++i) box.marks[i].layer = Layer::Above;
  return box;
}

// The published value of a quintile (from 0), missing where there is none.
double publishedAt(const ReferenceCurve* published, int quintile) {
  for (std::size_t i = 0; published != nullptr && i < published->x.size(); ++i) {
    if (published->x[i] == quintile + 1) return published->y[i];
  }
  return std::nan("");
}

Values asValues(const QuintileValues& quintiles) {
  return {quintiles.begin(), quintiles.end()};
}

std::vector<HeadInterval> asIntervals(const QuintileIntervals& ends) {
  std::vector<HeadInterval> intervals;
  for (std::size_t k = 0; k < 5; ++k) intervals.push_back({ends.low[k], ends.high[k]});
  return intervals;
}

// Stretches around each place with a gap between them.
Mark levelBands(const Values& places, const QuintileIntervals& ends) {
  Values x, low, high;
  for (std::size_t k = 0; k < places.size(); ++k) {
    for (const double side : {-kLevelReach, kLevelReach, std::nan("")}) {
      x.push_back(places[k] + side);
      low.push_back(std::isnan(side) ? side : ends.low[k]);
      high.push_back(std::isnan(side) ? side : ends.high[k]);
    }
  }
  return bandMark(x, low, high, Ink::Text);
}

// Bars of the head with the mean over heads as a dashed line, or bars of the mean alone.
Box quintilesBox(const ProfileData& data, const ProfileOptions& options) {
  const bool alone = options.parts == ProfileParts::Quintiles;
  const ProfileField& field = *data.field;
  const QuintileIntervals* intervals = wantedIntervals(data, options);
  const ReferenceCurve* published = shownCurve(options, &PublishedProfile::quintiles);
  const Values values = asValues(shownQuintiles(data)), means = asValues(field.quintileMean),
               places = placesOf(5);
  Box box;
  box.frame = Frame::Open;
  box.x = quintileAxis();
  if (alone) box.x.title = "query position, quintile of the window|quintile of the window";
  box.y.title = alone ? "mean attention plasticity|mean plasticity|mean AP" : "mean AP";
  box.y.grid = true;
  double highest = 0;
  for (const Values* all : {&values, &means}) {
    for (const double value : *all) highest = std::isfinite(value) ? std::max(highest, value) : highest;
  }
  for (const double high : intervals ? asValues(intervals->high) : Values())
    highest = std::isfinite(high) ? std::max(highest, high) : highest;
  // Room for the numbers above the bars; the same full scale wherever it suffices.
  std::tie(box.y.low, box.y.high) =
      options.range.value_or(std::pair{0.0, std::max(alone ? 1.0 : 1.12, highest * 1.15)});
  BarMarks bars{shifted(places, -kHalfBar),
                shifted(places, kHalfBar),
                Values(5, std::max(0.0, box.y.low)),
                values,
                {data.chosen ? Colour(kChosen) : Colour(Ink::Bars)}};
  Values level;
  for (int k = 0; k < 5; ++k) {
    bars.numbers.push_back(std::isfinite(values[static_cast<std::size_t>(k)])
                               ? numberLabel(values[static_cast<std::size_t>(k)], 3)
                               : "\u2013");
    level.push_back(publishedAt(published, k));
  }
  if (intervals) bars.reach = asValues(intervals->high);
  if (published) bars.levels.push_back(level);
  if (data.chosen) bars.levels.push_back(means);
  box.marks.push_back({bars, data.chosen ? field.heads[*data.chosen].text() : meanText(field)});
  if (published) {
    box.marks.push_back(publishedLevels(shifted(places, -kLevelReach), shifted(places, kLevelReach), level));
    for (const double value : level) box.marks.back().tips.push_back(publishedTip(*published, value, "AP"));
  }
  if (data.chosen) {
    if (options.intervals) box.marks.push_back(levelBands(places, intervalsOverHeads(field.quintiles)));
    box.marks.push_back(
        {SegmentMarks{
             shifted(places, -kLevelReach), means, shifted(places, kLevelReach), means, {meanStroke()}},
         meanText(field)});
  }
  if (intervals) box.marks.push_back(whiskerMark(places, asIntervals(*intervals), {Ink::Text}));
  return box;
}

std::vector<LegendEntry> quintilesLegend(const ProfileData& data, const ProfileOptions& options) {
  const ProfileField& field = *data.field;
  std::vector<LegendEntry> legend;
  if (data.chosen) legend.push_back(boxEntry(field.heads[*data.chosen].text(), kChosen));
  legend.push_back(data.chosen ? lineEntry(meanText(field), meanStroke())
                               : boxEntry(meanText(field), Ink::Bars));
  if (data.chosen && options.intervals)
    legend.push_back(bandEntry(intervalText(IntervalOver::Heads), Ink::Text));
  if (const ReferenceCurve* published = shownCurve(options, &PublishedProfile::quintiles))
    legend.push_back(
        publishedEntry(nameOf(*published) + otherWindowText(published->window, field.window), true));
  if (wantedIntervals(data, options) != nullptr)
    legend.push_back(whiskerEntry(intervalText(shownIntervalsOver(data), field.examples)));
  return legend;
}

}  // namespace

PositionAxis positionAxisOf(const ProfileData& data, const ProfileOptions& options) {
  if (options.axis) return *options.axis;
  const ReferenceCurve* published = shownCurve(options, &PublishedProfile::profile);
  const bool other = published != nullptr && published->window > 0 && published->window != data.field->window;
  return other ? PositionAxis::Share : PositionAxis::Tokens;
}

double profileEnd(const ProfileData& data, const ProfileOptions& options) {
  const ReferenceCurve* published = shownCurve(options, &PublishedProfile::profile);
  const bool tokens = positionAxisOf(data, options) == PositionAxis::Tokens;
  return std::max(windowOf(data),
                  tokens && published != nullptr ? static_cast<double>(published->window) : 0);
}

Plot profilePlot(const ProfileData& data, const ProfileOptions& options) {
  Plot plot;
  if (options.parts == ProfileParts::Quintiles) {
    plot.legend = quintilesLegend(data, options);
    plot.boxes.push_back(quintilesBox(data, options));
    return plot;
  }
  plot.legend = profileLegend(data, options);
  plot.boxes.push_back(profileBox(data, options));
  if (options.parts == ProfileParts::Profile) return plot;
  plot.boxes.front().height = 2.1;
  plot.boxes.push_back(quintilesBox(data, options));
  return plot;
}

std::string profileTip(const ProfileData& data, std::size_t bin) {
  const ProfileField& field = *data.field;
  const auto interval = [](const Values& low, const Values& high, std::size_t i) -> std::string {
    if (low.empty() || !std::isfinite(low[i]) || !std::isfinite(high[i])) return {};
    return " (" + fixedText(low[i], 3) + " \u2026 " + fixedText(high[i], 3) + ")";
  };
  std::string tip = "position " + numberLabel(field.start[bin], 0) + " to " + numberLabel(field.end[bin], 0);
  if (data.chosen) {
    const std::size_t index = field.index(*data.chosen, bin);
    tip += "<br><b>" + field.heads[*data.chosen].text() + "</b> AP " + fixedText(field.ap[index], 3) +
           interval(field.apLow, field.apHigh, index) + " \u00b7 " +
           numberLabel(static_cast<double>(field.queries[index]), 0) + " queries, " +
           numberLabel(static_cast<double>(field.pairs[index]), 0) + " pairs";
  }
  return tip + "<br>mean " + fixedText(field.mean[bin], 3) + interval(field.meanLow, field.meanHigh, bin) +
         " over " + std::to_string(field.meanHeads[bin]) + " heads";
}

Plot whatIfPlot(const WhatIfData& data) {
  const auto window = static_cast<double>(std::max<std::int64_t>(1, data.window));
  Box box;
  box.x = positionAxis(PositionAxis::Tokens, window, 1);
  box.y.title = "plasticity AP";
  box.y.grid = true;
  const Stroke before{Ink::Muted, 1.4, Weight::Thin, {4, 3}}, after{Ink::Selection, 1.3};
  box.marks.push_back({LineMark{data.tau, data.before, before}, "as it is"});
  box.marks.push_back({LineMark{data.tau, data.after, after}, "changed"});
  Plot plot;
  plot.oneLine = true;
  plot.legend = {lineEntry("as it is", before), lineEntry("changed", after)};
  plot.boxes.push_back(std::move(box));
  return plot;
}

// --- Several models -------------------------------------------------------------------------------------

namespace {

std::vector<ComparedName> namesOf(const ComparedProfiles& data) {
  std::vector<ComparedName> names;
  for (const ComparedProfile& profile : data.models) names.push_back(profile.model);
  return names;
}

bool anyFinite(const Values& values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

bool hasBands(const ComparedProfiles& data) {
  return std::any_of(data.models.begin(), data.models.end(),
                     [](const ComparedProfile& model) { return anyFinite(model.low); });
}

bool hasWhiskers(const ComparedProfiles& data) {
  return std::any_of(data.models.begin(), data.models.end(), [](const ComparedProfile& model) {
    return anyFinite(asValues(model.quintileIntervals.low));
  });
}

// What the legend adds to "published": the windows of those models where they are other ones. Nothing
// without published numbers.
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

std::vector<LegendEntry> compareLegend(const ComparedProfiles& data, const CompareOptions& options) {
  const std::vector<SeriesStyle> styles = seriesStyles(namesOf(data));
  const Texts names = shownNames(namesOf(data));
  const bool bars = options.parts == CompareParts::Quintiles;
  std::vector<LegendEntry> legend;
  for (std::size_t m = 0; m < data.models.size(); ++m) {
    const ComparedProfile& model = data.models[m];
    legend.push_back((bars ? barEntry : seriesEntry)(titleOf(model, names[m]), styles[m]));
    const std::string counts = countText(model.head ? 0 : model.heads, model.examples);
    if (!counts.empty()) legend.back().detail = " (" + counts + ")";
  }
  if (data.showsHeads() && !bars)
    legend.push_back(lineEntry("mean over heads", {Colour(Ink::Text, 0.45), 0.75}));
  if (options.intervals && !bars && hasBands(data))
    legend.push_back(bandEntry(intervalText(data.profilesOver), Ink::Text));
  if (options.intervals && options.parts != CompareParts::Profiles && hasWhiskers(data))
    legend.push_back(whiskerEntry(intervalText(data.quintilesOver)));
  if (const auto published = publishedText(data, bars))
    legend.push_back(publishedEntry("published" + *published, bars));
  return legend;
}

// What the profiles reach, with room around it; at least a fifth of the scale, inside 0 to 1.
std::pair<double, double> fittingRange(const ComparedProfiles& data, bool intervals) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const Values none;
  for (const ComparedProfile& profile : data.models) {
    for (const auto* values : {&profile.mean, &profile.headAp, &profile.published.y,
                               intervals ? &profile.low : &none, intervals ? &profile.high : &none}) {
      for (const double value : *values) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
  }
  if (low > high) return {0, 1};
  const double space = std::max(0.06 * (high - low), (0.2 - (high - low)) / 2);
  return {std::max(-0.005, low - space), std::min(1.005, high + space)};
}

// " (95 %: 0.312 … 0.405 over heads)"; "" without an interval.
std::string overText(HeadInterval interval, IntervalOver over) {
  if (!interval.known()) return {};
  return " (95 %: " + metricText(interval.low) + " \u2026 " + metricText(interval.high) + " over " +
         plastiscope::nameOf(over) + ")";
}

// Of the mean over heads, or of the head that stands beside it; "" in bins without a value.
Texts profileTips(const ComparedProfile& profile, bool ofHead) {
  Texts tips;
  for (std::size_t bin = 0; bin < profile.tokens.size(); ++bin) {
    const double value = ofHead ? profile.headAp[bin] : profile.mean[bin];
    const HeadInterval interval =
        bin < profile.low.size() ? HeadInterval{profile.low[bin], profile.high[bin]} : HeadInterval();
    std::string tip = "<b>" + richEscaped(profile.model.name) + "</b>" +
                      (ofHead ? " " + profile.head->text() : "") + "<br>position " +
                      numberLabel(std::round(profile.tokens[bin]), 0) + " of " +
                      numberLabel(static_cast<double>(profile.window), 0) + " tokens (" +
                      fixedText(100 * profile.share(bin), 0) + " %)<br>AP " + fixedText(value, 3);
    if (ofHead)
      tip += " of the head" + overText(interval, IntervalOver::Examples);
    else
      tip += ", mean over " + numberLabel(static_cast<double>(profile.meanHeads[bin]), 0) + " heads" +
             overText(profile.head ? HeadInterval() : interval, IntervalOver::Heads);
    tips.push_back(std::isfinite(value) ? tip : "");
  }
  return tips;
}

std::string quintileTip(const ComparedProfile& model, std::size_t k, HeadInterval interval,
                        IntervalOver over) {
  return "<b>" + richEscaped(model.model.name) + "</b><br>" + std::to_string(20 * k) + " to " +
         std::to_string(20 * (k + 1)) + " % of the window<br>AP " + fixedText(model.quintiles[k], 3) + ", " +
         (model.head
              ? model.head->text()
              : "mean over " + numberLabel(static_cast<double>(model.quintileHeads[k]), 0) + " heads") +
         overText(interval, over);
}

Box profilesBox(const ComparedProfiles& data, const CompareOptions& options) {
  const std::vector<SeriesStyle> styles = seriesStyles(namesOf(data));
  const Texts names = shownNames(namesOf(data));
  const bool shares = options.axis == PositionAxis::Share;
  constexpr Length kApart{15, 26}, kNever{1e9, 1e9};
  Box box;
  box.x = positionAxis(options.axis, shares ? 1 : static_cast<double>(data.longestWindow()), 1);
  box.y.title = "plasticity AP|AP";
  box.y.grid = true;
  std::tie(box.y.low, box.y.high) = options.range.value_or(fittingRange(data, options.intervals));
  std::vector<Mark> lines;
  for (std::size_t m = 0; m < data.models.size(); ++m) {
    const ComparedProfile& profile = data.models[m];
    Values x;
    for (std::size_t bin = 0; bin < profile.tokens.size(); ++bin)
      x.push_back(shares ? profile.share(bin) : profile.tokens[bin]);
    if (options.intervals && !profile.low.empty())
      box.marks.push_back(bandMark(x, profile.low, profile.high, styles[m].colour));
    const std::int64_t window = profile.published.window > 0 ? profile.published.window : profile.window;
    if (!profile.published.empty())
      lines.push_back(
          publishedMark(profile.published, shares ? 1 : static_cast<double>(window), styles[m].colour));
    const std::string name = richEscaped(names[m]);
    if (!profile.head) {
      lines.push_back(seriesMark(x, profile.mean, styles[m], name, kApart));
      lines.back().tips = profileTips(profile, false);
      continue;
    }
    SeriesStyle pale = styles[m];
    pale.colour.alpha = 0.45;
    pale.line = {pale.colour, 0.75};
    lines.push_back(seriesMark(x, profile.mean, pale, name + ", mean over heads", kNever));
    lines.back().tips = profileTips(profile, false);
    lines.push_back(seriesMark(x, profile.headAp, styles[m], titleOf(profile, names[m]), kApart));
    lines.back().tips = profileTips(profile, true);
  }
  box.marks.insert(box.marks.end(), lines.begin(), lines.end());
  return box;
}

Box comparedQuintilesBox(const ComparedProfiles& data, bool intervals) {
  const std::vector<SeriesStyle> styles = seriesStyles(namesOf(data));
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
  std::vector<HeadInterval> ends;
  Mark mark;
  double highest = 0;
  for (std::size_t k = 0; k < 5; ++k) {
    for (std::size_t m = 0; m < data.models.size(); ++m) {
      const ComparedProfile& model = data.models[m];
      const QuintileBar place = quintileBar(static_cast<int>(k), m, data.models.size());
      const double value = model.quintiles[k],
                   level = publishedAt(&model.publishedQuintiles, static_cast<int>(k));
      const HeadInterval interval =
          intervals ? HeadInterval{model.quintileIntervals.low[k], model.quintileIntervals.high[k]}
                    : HeadInterval();
      for (const double reached : {value, level, interval.high})
        highest = std::isfinite(reached) ? std::max(highest, reached) : highest;
      bars.left.push_back(place.left);
      bars.right.push_back(place.right);
      bars.bottom.push_back(0);
      bars.top.push_back(value);
      bars.fills.push_back(styles[m].colour.faded(0.88));
      bars.feet.push_back(styles[m].marker);
      bars.numbers.push_back(std::isfinite(value) ? numberLabel(value, 3) : "");
      bars.reach.push_back(interval.known() ? interval.high : std::nan(""));
      mark.tips.push_back(quintileTip(
          model, k, {model.quintileIntervals.low[k], model.quintileIntervals.high[k]}, data.quintilesOver));
      levelTips.push_back(publishedTip(model.publishedQuintiles, level, "AP"));
      middles.push_back((place.left + place.right) / 2);
      levels.push_back(level);
      ends.push_back(interval);
    }
  }
  box.y.high = highest > 0 ? highest * 1.45 : 1;  // room for turned numbers
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

QuintileBar quintileBar(int quintile, std::size_t model, std::size_t models) {
  const double width = 0.84 / static_cast<double>(models);
  const double left = quintile - 0.42 + static_cast<double>(model) * width;
  return {left + 0.05 * width, left + 0.95 * width};
}

Plot comparePlot(const ComparedProfiles& data, const CompareOptions& options) {
  Plot plot;
  plot.legend = compareLegend(data, options);
  if (options.parts != CompareParts::Quintiles) plot.boxes.push_back(profilesBox(data, options));
  if (options.parts != CompareParts::Profiles)
    plot.boxes.push_back(comparedQuintilesBox(data, options.intervals));
  if (plot.boxes.size() > 1) plot.boxes.front().height = 1.25;
  return plot;
}

}  // namespace plastiscope
