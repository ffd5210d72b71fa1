// Profile and quintiles of one model: plasticity over query position.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/figures/figures.h"

namespace plastiscope {

namespace {

constexpr double kLevelReach = kHalfBar * 1.32;  // levels are a little wider than bars
constexpr double kBarAlpha = 0.75;               // so that a level in the text colour is visible on a bar

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

// "aligned " where an analysis has both kinds or only the aligned one.
std::string kindText(const ProfileField& field) {
  const bool said = field.other || field.plasticity == ApKind::Aligned;
  return said ? nameOf(field.plasticity) + " " : "";
}

bool showsPublished(const ProfileOptions& options) {
  return shownCurve(options, &PublishedProfile::profile) != nullptr ||
         shownCurve(options, &PublishedProfile::quintiles) != nullptr;
}

std::string meanText(const ProfileField& field) {
  return "mean of " + withCommas(static_cast<long long>(field.heads.size())) + " heads" +
         (field.scopeText == "all heads" ? "" : " of " + field.scopeText) +
         (field.corrected ? ", bias-corrected" : "");
}

bool bandShown(const ProfileData& data, const ProfileOptions& options) {
  return options.intervals && data.shown && !data.shown->low.empty();
}

bool meanBandShown(const ProfileData& data, const ProfileOptions& options) {
  return options.intervals && anyFinite(data.field->meanLow);
}

bool isFew(const ProfileData& data, std::size_t bin) {
  return data.shown->pairs[bin] < ProfileData::kFewPairs;
}

// Above this number heads are shown as percentile bands instead of lines.
constexpr std::size_t kMaxLines = 300;

bool manyHeads(const ProfileField& field) {
  return field.heads.size() > kMaxLines;
}

// 5-95 % and 25-75 % of all heads, and their median.
constexpr double kWideShade = 0.5, kNarrowShade = 0.75;
const Stroke kMedian{Ink::Muted, 1, Weight::Thin};

void addSpreads(Box& box, const ProfileField& field) {
  BandMark wide{field.tau, {}, {}, Colour(Ink::OtherHeads, kWideShade)};
  BandMark narrow{field.tau, {}, {}, Colour(Ink::OtherHeads, kNarrowShade)};
  LineMark median{field.tau, {}, kMedian};
  median.noTips = true;
  for (const HeadSpread& spread : field.spreads) {
    wide.low.push_back(spread.low5);
    wide.high.push_back(spread.high95);
    narrow.low.push_back(spread.low25);
    narrow.high.push_back(spread.high75);
    median.y.push_back(spread.median);
  }
  box.marks.push_back({std::move(wide)});
  box.marks.push_back({std::move(narrow)});
  box.marks.push_back({std::move(median)});
}

void addHeadEntries(std::vector<LegendEntry>& legend, const ProfileField& field) {
  if (!manyHeads(field))
    return legend.push_back(lineEntry("heads", {Colour(Ink::OtherHeads, 0.8), 1, Weight::Thin}));
  legend.push_back(lineEntry("median", kMedian));
  legend.push_back(boxEntry("25\u201375 %", Colour(Ink::OtherHeads, kNarrowShade)));
  legend.push_back(boxEntry("5\u201395 % of heads", Colour(Ink::OtherHeads, kWideShade)));
}

constexpr Ink kChosen = Ink::Selection;

// Orange with a casing; bins with few pairs are hollow on a pale line.
void addChosen(Box& box, const ProfileData& data) {
  const ProfileField& field = *data.field;
  const Values& all = data.shown->ap;
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
  const std::string& name = data.shown->name;
  box.marks.push_back({pale});
  box.marks.push_back({solid});
  box.marks.push_back({points, name, {}, {}, tips});
  box.marks.push_back({hollow, name, {}, {}, tips});
}

// Stroke of the curve of the other plasticity, for the head or the mean.
Stroke ghostStroke(const ProfileData& data) {
  return {data.shown ? Colour(kChosen) : Colour(Ink::Muted), 1.4, Weight::Thin, {3, 2}};
}

LineMark ghostLine(const ProfileData& data) {
  const ProfileData& other = *data.other;
  LineMark line{other.field->tau, other.shown ? other.shown->ap : other.field->mean, ghostStroke(data)};
  line.noTips = true;
  return line;
}

void addGhostEntry(std::vector<LegendEntry>& legend, const ProfileData& data) {
  if (data.other)
    legend.push_back(lineEntry(placeOf(data.other->field->plasticity).title, ghostStroke(data)));
}

// Strip at the foot of bins with other texts than the first bin.
const Colour kDiffers(Ink::Muted, 0.35);

std::optional<BandMark> differingBins(const ProfileField& field, double low, double high) {
  BandMark strip{{}, {}, {}, kDiffers};
  for (std::size_t b = 0; b < field.differs.size(); ++b) {
    for (const double edge : {field.start[b], field.end[b]}) {
      strip.x.push_back(edge);
      strip.low.push_back(field.differs[b] ? low : std::nan(""));
      strip.high.push_back(field.differs[b] ? low + 0.022 * (high - low) : std::nan(""));
    }
  }
  return std::ranges::count(field.differs, true) > 0 ? std::optional(strip) : std::nullopt;
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

Values asValues(const QuintileValues& quintiles) {
  return {quintiles.begin(), quintiles.end()};
}

std::vector<Interval> asIntervals(const QuintileIntervals& ends) {
  std::vector<Interval> intervals;
  for (std::size_t k = 0; k < 5; ++k) intervals.push_back({ends.low[k], ends.high[k]});
  return intervals;
}

// The mean of each group with its interval over heads, over positions or over the quintiles.
void addGroups(Box& box, const ProfileOptions& options, bool quintiles = false) {
  for (std::size_t g = 0; g < options.groups.size(); ++g) {
    const ProfileData& data = drawnProfile(options.groups[g].data, options);
    const SeriesStyle style = groupStyle(options.groups[g].group, g);
    const Values values = quintiles ? asValues(shownQuintiles(data)) : data.shown->ap;
    const QuintileIntervals* ends = quintiles ? wantedIntervals(data, options) : nullptr;
    const double aside =
        0.06 * (static_cast<double>(g) - (static_cast<double>(options.groups.size()) - 1) / 2);
    const Values x = quintiles ? shifted(placesOf(values.size()), aside) : data.field->tau;
    if (!quintiles && bandShown(data, options))
      box.marks.push_back(bandMark(data.field->tau, data.shown->low, data.shown->high, style.colour));
    if (ends != nullptr) box.marks.push_back(whiskerMark(x, asIntervals(*ends), {style.colour}));
    Mark line = seriesMark(x, values, style, data.shown->name, {12, 18});
    for (std::size_t i = 0; i < values.size(); ++i)
      line.tips.push_back(quintiles
                              ? "<b>" + richEscaped(data.shown->name) + "</b> AP " + fixedText(values[i], 3)
                              : profileTip(data, i));
    box.marks.push_back(std::move(line));
  }
}

void addGroupEntries(std::vector<LegendEntry>& legend, const ProfileOptions& options) {
  for (std::size_t g = 0; g < options.groups.size(); ++g) {
    const auto& [group, data] = options.groups[g];
    legend.push_back(seriesEntry(richEscaped(data.shown->name), groupStyle(group, g)));
  }
}

std::vector<LegendEntry> profileLegend(const ProfileData& data, const ProfileOptions& options) {
  const ProfileField& field = *data.field;
  const ReferenceCurve* published = shownCurve(options, &PublishedProfile::profile);
  std::vector<LegendEntry> legend;
  bool few = false;
  if (data.shown) {
    LegendEntry head = lineEntry(data.shown->name, {kChosen});
    head.symbol.marker = MarkerStyle{Marker::Circle, kChosen, false, 1, Rim::None};
    legend.push_back(head);
    addGroupEntries(legend, options);
    addGhostEntry(legend, data);
    for (std::size_t b = 0; b < field.bins(); ++b)
      few = few || (std::isfinite(data.shown->ap[b]) && isFew(data, b));
    if (bandShown(data, options))
      legend.push_back(bandEntry(intervalText(data.shown->over, field.examples), kChosen));
  }
  if (!data.shown) addGroupEntries(legend, options);
  legend.push_back(lineEntry(meanText(field), meanStroke()));
  if (!data.shown) addGhostEntry(legend, data);
  if (meanBandShown(data, options)) legend.push_back(bandEntry(intervalText(IntervalOver::Heads), Ink::Text));
  if (published != nullptr)
    legend.push_back(
        publishedEntry(nameOf(*published) + otherWindowText(published->window, field.window), false));
  addHeadEntries(legend, field);
  if (few)
    legend.push_back(pointEntry("&lt; " + std::to_string(ProfileData::kFewPairs) + " pairs",
                                {Marker::Circle, kChosen, true, 1, Rim::Own}));
  if (std::ranges::count(field.differs, true) > 0)
    legend.push_back(boxEntry("fewer texts reach here", kDiffers));
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
  const std::string kind = kindText(*field);
  box.y.title = kind.empty() ? "plasticity AP|AP" : kind + "plasticity AP|" + kind + "AP|AP";
  box.y.grid = true;
  std::tie(box.y.low, box.y.high) = options.range.value_or(std::pair{0.0, 1.0});
  const auto add = [&box](Mark mark, Layer layer) {
    mark.layer = layer;
    box.marks.push_back(std::move(mark));
  };
  add({missingOf(*field, data.shown ? data.shown->ap : field->mean)}, Layer::Below);
  if (manyHeads(*field))
    addSpreads(box, *field);
  else
    add({LinesMark{field, &field->tau, &field->ap, {Ink::OtherHeads, 1, Weight::Thin}}}, Layer::Main);
  if (meanBandShown(data, options))
    add(bandMark(field->tau, field->meanLow, field->meanHigh, Ink::Text), Layer::Above);
  if (const ReferenceCurve* published = shownCurve(options, &PublishedProfile::profile)) {
    const bool own = axis == PositionAxis::Tokens && published->window > 0;
    add(publishedMark(*published, own ? static_cast<double>(published->window) : windowOf(data)),
        Layer::Above);
  }
  if (bandShown(data, options))
    add(bandMark(field->tau, data.shown->low, data.shown->high, kChosen), Layer::Above);
  if (auto strip = differingBins(*field, box.y.low, box.y.high)) add({*std::move(strip)}, Layer::Below);
  if (data.other) add({ghostLine(data)}, Layer::Above);
  Texts tips;
  for (std::size_t b = 0; b < field->bins(); ++b) tips.push_back(profileTip(data, b));
  add({LineMark{field->tau, field->mean, meanStroke()}, meanText(*field), {}, {}, tips}, Layer::Above);
  const std::size_t others = box.marks.size();
  addGroups(box, options);
  if (data.shown) addChosen(box, data);
  for (std::size_t i = others; i < box.marks.size(); ++i) box.marks[i].layer = Layer::Above;
  return box;
}

// The mean across a bar: thin and without a casing, which would cut the bar in two.
Stroke levelStroke() {
  Stroke stroke = meanStroke();
  stroke.width = 0.7;
  stroke.cased = false;
  return stroke;
}

// Spans around each place with a gap between them.
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
  const std::string kind = kindText(field);
  box.y.title = !alone         ? "mean AP"
                : kind.empty() ? "mean attention plasticity|mean plasticity|mean AP"
                               : "mean " + kind + "plasticity|mean " + kind + "AP|mean AP";
  box.y.grid = true;
  Extent reached;
  for (const Values& all : {Values{0}, values, means}) reached.add(all);
  if (intervals) reached.add(intervals->high);
  // Space for the numbers above the bars; the full scale where it suffices.
  std::tie(box.y.low, box.y.high) =
      options.range.value_or(std::pair{0.0, std::max(alone ? 1.0 : 1.12, reached.high * 1.15)});
  BarMarks bars{shifted(places, -kHalfBar),
                shifted(places, kHalfBar),
                Values(5, std::max(0.0, box.y.low)),
                values,
                {data.shown ? Colour(kChosen, kBarAlpha) : Colour(Ink::Bars)}};
  Values level;
  for (int k = 0; k < 5; ++k) {
    const double value = values[static_cast<std::size_t>(k)];
    bars.numbers.push_back(std::isfinite(value) ? numberLabel(value, 3) : "\u2013");
    level.push_back(published ? published->at(k + 1) : kMissing);
  }
  if (intervals) bars.reach = asValues(intervals->high);
  if (published) bars.levels.push_back(level);
  if (data.shown) bars.levels.push_back(means);
  box.marks.push_back({bars, data.shown ? data.shown->name : meanText(field)});
  if (published) {
    box.marks.push_back(publishedLevels(shifted(places, -kLevelReach), shifted(places, kLevelReach), level));
    for (const double value : level)
      box.marks.back().tips.push_back(publishedTip(*published, "AP " + metricText(value)));
  }
  if (data.shown) {
    if (options.intervals) box.marks.push_back(levelBands(places, intervalsOverHeads(field.quintiles)));
    box.marks.push_back(
        {SegmentMarks{
             shifted(places, -kLevelReach), means, shifted(places, kLevelReach), means, {levelStroke()}},
         meanText(field)});
  }
  if (intervals) box.marks.push_back(whiskerMark(places, asIntervals(*intervals), {Ink::Text}));
  addGroups(box, options, true);
  return box;
}

std::vector<LegendEntry> quintilesLegend(const ProfileData& data, const ProfileOptions& options) {
  const ProfileField& field = *data.field;
  std::vector<LegendEntry> legend;
  if (data.shown) legend.push_back(boxEntry(data.shown->name, Colour(kChosen, kBarAlpha)));
  legend.push_back(data.shown ? lineEntry(meanText(field), levelStroke())
                              : boxEntry(meanText(field), Ink::Bars));
  if (data.shown && options.intervals)
    legend.push_back(bandEntry(intervalText(IntervalOver::Heads), Ink::Text));
  if (const ReferenceCurve* published = shownCurve(options, &PublishedProfile::quintiles))
    legend.push_back(
        publishedEntry(nameOf(*published) + otherWindowText(published->window, field.window), true));
  if (wantedIntervals(data, options) != nullptr)
    legend.push_back(whiskerEntry(intervalText(shownIntervalsOver(data), field.examples)));
  return legend;
}

}  // namespace

const ProfileData& drawnProfile(const ProfileData& data, const ProfileOptions& options) {
  return showsPublished(options) ? besidePublished(data) : data;
}

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

Plot profilePlot(const ProfileData& given, const ProfileOptions& options) {
  const ProfileData& data = drawnProfile(given, options);
  const bool quintiles = options.parts == ProfileParts::Quintiles;
  Plot plot;
  plot.legend = quintiles ? quintilesLegend(data, options) : profileLegend(data, options);
  if (&data != &given) plot.legend.push_back(textEntry(kPublishedAreBinned));
  if (const std::string note = excessNote(data); !note.empty()) plot.legend.push_back(textEntry(note));
  if (quintiles) {
    plot.boxes.push_back(quintilesBox(data, options));
    return plot;
  }
  plot.boxes.push_back(profileBox(data, options));
  if (options.parts == ProfileParts::Profile) return plot;
  plot.boxes.front().height = 2.1;
  plot.boxes.push_back(quintilesBox(data, options));
  return plot;
}

Plot groupProfilesPlot(const std::vector<GroupProfile>& groups, ProfileOptions options) {
  const ProfileData all{groups.front().data.field, nullptr};
  const ProfileField& field = *all.field;
  const std::string kind = kindText(field);
  const bool quintiles = options.parts == ProfileParts::Quintiles;
  options.groups = groups;
  Plot plot;
  Box box;
  box.x =
      quintiles ? quintileAxis() : positionAxis(positionAxisOf(all, options), windowOf(all), windowOf(all));
  if (quintiles) box.x.title = "query position, quintile of the window|quintile of the window";
  box.y.title = "mean " + kind + "plasticity AP|mean " + kind + "AP|AP";
  box.y.grid = true;
  std::tie(box.y.low, box.y.high) = options.range.value_or(std::pair{0.0, 1.0});
  const Values x = quintiles ? placesOf(5) : field.tau,
               means = quintiles ? asValues(field.quintileMean) : field.mean;
  if (!quintiles) box.marks.push_back({missingOf(field, field.mean)});
  box.marks.push_back({LineMark{x, means, meanStroke()}, meanText(field)});
  addGroups(box, options, quintiles);
  plot.boxes.push_back(std::move(box));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& [group, data] = groups[g];
    plot.legend.push_back(seriesEntry(richEscaped(group.name) + " (" +
                                          withCommas(static_cast<long long>(group.heads.size())) +
                                          (group.heads.size() == 1 ? " head)" : " heads)"),
                                      groupStyle(group, g)));
  }
  plot.legend.push_back(lineEntry(meanText(field), meanStroke()));
  if (std::ranges::any_of(groups, [&](const GroupProfile& each) { return bandShown(each.data, options); }))
    plot.legend.push_back(quintiles ? whiskerEntry(intervalText(IntervalOver::Heads))
                                    : bandEntry(intervalText(IntervalOver::Heads), Ink::Text));
  return plot;
}

std::string profileTip(const ProfileData& data, std::size_t bin) {
  const ProfileField& field = *data.field;
  const auto interval = [](const Values& low, const Values& high, std::size_t i) -> std::string {
    if (low.empty() || !std::isfinite(low[i]) || !std::isfinite(high[i])) return {};
    return " (" + fixedText(low[i], 3) + " \u2026 " + fixedText(high[i], 3) + ")";
  };
  std::string tip = "position " + numberLabel(field.start[bin], 0) + " to " + numberLabel(field.end[bin], 0);
  if (data.shown) {
    const ShownProfile& shown = *data.shown;
    tip += "<br><b>" + shown.name + "</b> AP " + fixedText(shown.ap[bin], 3) +
           interval(shown.low, shown.high, bin) + " \u00b7 " + withCommas(shown.queries[bin]) + " queries" +
           (shown.texts.empty() ? "" : " of " + withCommas(shown.texts[bin]) + " texts") + ", " +
           withCommas(shown.pairs[bin]) + " pairs";
  }
  return tip + "<br>mean " + fixedText(field.mean[bin], 3) + interval(field.meanLow, field.meanHigh, bin) +
         " over " + std::to_string(field.meanHeads[bin]) + " heads" +
         (bin < field.differs.size() && field.differs[bin] ? "<br>other texts reach here than the first bin"
                                                           : "");
}

Plot whatIfPlot(const WhatIfData& data) {
  const auto window = static_cast<double>(std::max<std::int64_t>(1, data.window));
  Box box;
  box.x = positionAxis(PositionAxis::Tokens, window, 1);
  box.y.title = "binned AP";
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

}  // namespace plastiscope
