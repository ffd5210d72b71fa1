#include "core/figures/parts.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/compare/comparison.h"

namespace plastiscope {

void append(Values& all, const Values& more) {
  all.insert(all.end(), more.begin(), more.end());
}

bool anyFinite(std::span<const double> values) {
  return std::ranges::any_of(values, [](double value) { return std::isfinite(value); });
}

std::string numberLabel(double value, int decimals) {
  double size = std::fabs(value);
  const double power = std::pow(10, decimals), scaled = size * power;
  const bool tie = scaled - std::floor(scaled) == 0.5 && std::fma(size, power, -scaled) == 0;
  if (tie) size = std::nextafter(size, HUGE_VAL);  // ties are rounded away from zero, not to even digits
  std::string text = fixedText(size, decimals);
  const std::size_t whole = std::min(text.find('.'), text.size());
  if (std::isfinite(value))
    for (std::size_t at = whole; at > 3;) text.insert(at -= 3, ",");
  const bool zero = std::fabs(value) < 0.5 * std::pow(10, -decimals);
  return value < 0 && !zero ? "\u2212" + text : text;
}

std::string tokenLabel(double tokens, double largest) {
  const double k = tokens / 1024;
  if (largest > 16384 && std::fabs(k - std::round(k * 2) / 2) < 1e-9)
    return tokens == 0 ? "0" : numberLabel(k, k == std::round(k) ? 0 : 1) + "K";
  return numberLabel(tokens, 0);
}

std::string percentLabel(double percent) {
  return numberLabel(percent, percent < 9.95 ? 1 : 0);
}

int powerFor(double largest) {
  if (!(largest > 0) || !std::isfinite(largest) || (largest >= 0.1 && largest < 1e4)) return 0;
  return 3 * static_cast<int>(std::floor(std::log10(largest * 1.0001) / 3));
}

// --- Axes -----------------------------------------------------------------------------------------------

namespace {

// Total characters of the names above which they are slanted.
constexpr std::size_t kUprightCharacters = 54;
constexpr std::size_t kManyNames = 8;  // steeper above this number
constexpr std::size_t kLongestName = 18, kLongestSlanted = 13, kLongestSteep = 15;

std::string unitText(const MetricInfo& metric, int power) {
  std::string text = power == 0 ? "" : "10<sup>" + numberLabel(power, 0) + "</sup>";
  if (!metric.unit.empty()) text += (text.empty() ? "" : " ") + metric.unit;
  return text;
}

// "|x|" as "abs x": a bar in a title separates its long from its short form.
std::string withoutBars(std::string label) {
  for (;;) {
    const std::size_t first = label.find('|'),
                      second = first == std::string::npos ? first : label.find('|', first + 1);
    if (second == std::string::npos) return label;
    label = label.substr(0, first) + "abs " + label.substr(first + 1, second - first - 1) +
            label.substr(second + 1);
  }
}

}  // namespace

std::string titleWithUnit(const MetricInfo& metric, int power) {
  const std::string unit = unitText(metric, power);
  return unit.empty() ? metric.label : metric.label + " (" + unit + ")";
}

std::string titleForms(const std::string& forms, const std::string& unit) {
  std::string title, brief = unit;
  for (const char* between : {" / ", " per "}) {
    const std::size_t at = brief.find(between);
    if (at != std::string::npos) brief.replace(at, std::string_view(between).size(), "/");
  }
  for (std::size_t start = 0; start <= forms.size();) {
    const std::size_t end = std::min(forms.find('|', start), forms.size());
    title += (start == 0 ? "" : "|") + forms.substr(start, end - start) + " (" + unit + ")";
    start = end + 1;
  }
  if (brief != unit) title += "|" + forms.substr(forms.rfind('|') + 1) + " (" + brief + ")";
  return title;
}

Axis valueAxis(const MetricInfo& metric, const Values& values, bool fromZero, const ValueRange& range) {
  Extent extent;
  if (fromZero || metric.isSigned) extent.add(0);
  extent.add(values);
  const auto [low, high] = extent.known() ? extent : Extent{0, 1};
  const double space = high > low ? 0.08 * (high - low) : std::max(0.5, std::fabs(high) / 2);
  Axis axis;
  axis.low = fromZero && low == 0 ? 0 : low - space;
  axis.high = fromZero && high == 0 ? 0 : high + space;
  if (range) std::tie(axis.low, axis.high) = *range;
  const int power = powerFor(std::max(std::fabs(axis.low), std::fabs(axis.high)));
  axis.unit = std::pow(10, power);
  const std::string label = withoutBars(metric.label), unit = unitText(metric, power);
  // Short form: without brackets.
  const std::string brief = label.substr(0, label.find(" ("));
  axis.title = brief == label ? label : label + "|" + brief;
  if (!unit.empty()) axis.title = titleForms(axis.title, unit);
  axis.grid = true;
  return axis;
}

Axis plainValueAxis(const MetricInfo& metric, const Values& values, const ValueRange& range) {
  MetricInfo plain = metric;
  plain.isSigned = false;
  return valueAxis(plain, values, false, range);
}

Axis modelAxis(const std::vector<ComparedName>& models, bool upright) {
  Texts names;
  for (const ComparedName& model : models) names.push_back(model.name);
  Axis axis;
  axis.names = shortNames(names, kLongestName);
  std::size_t length = 0;
  for (const std::string& name : axis.names) length += characters(name) + 2;
  const bool slanted = !upright && length > kUprightCharacters;
  // Slanted names extend to the left; a name that leaves the picture would not be drawn at all.
  const bool steep = names.size() > kManyNames;
  if (slanted) axis.names = shortNames(names, steep ? kLongestSteep : kLongestSlanted);
  axis.slant = !slanted ? 0 : steep ? -55 : -32;
  axis.ticks = Ticks::AllNames;
  axis.low = -0.6;
  axis.high = static_cast<double>(models.size()) - 0.4;
  return axis;
}

Axis positionAxis(PositionAxis kind, double end, double window) {
  Axis axis;
  const bool share = kind == PositionAxis::Share;
  axis.title = share ? "query position (share of the window)|query position" : "query position (tokens)";
  axis.ticks = share ? Ticks::Percent : Ticks::Tokens;
  axis.unit = share ? window : 1;
  axis.high = end;
  axis.lastLabel = share ? "100\u2009%" : tokenLabel(end, end);
  axis.grid = true;
  return axis;
}

Axis quintileAxis() {
  Axis axis;
  for (int k = 0; k < 5; ++k)
    axis.names.push_back(std::to_string(20 * k) + "\u2013" + std::to_string(20 * (k + 1)) + "\u2009%");
  axis.ticks = Ticks::Names;
  axis.tickMarks = false;
  axis.low = -0.55;
  axis.high = 4.55;
  return axis;
}

// --- Layers ---------------------------------------------------------------------------------------------

LayerRuns layerRuns(const LayerMeans& means, const Values& x, double reach) {
  LayerRuns runs;
  const auto add = [&](double at, std::size_t i, bool known) {
    const auto value = [&](const Values& values) {
      return known && i < values.size() ? values[i] : std::nan("");
    };
    runs.x.push_back(at);
    runs.centre.push_back(value(means.centre));
    runs.low.push_back(value(means.low));
    runs.high.push_back(value(means.high));
    runs.of.push_back(i);
  };
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool first = i == 0 || means.layer[i - 1] + 1 != means.layer[i],
               last = i + 1 == x.size() || means.layer[i] + 1 != means.layer[i + 1];
    if (first && reach > 0) add(x[i] - reach, i, true);
    add(x[i], i, true);
    if (last && reach > 0) add(x[i] + reach, i, true);
    if (last && i + 1 < x.size()) add((x[i] + x[i + 1]) / 2, i, false);
  }
  return runs;
}

// --- Intervals and levels -------------------------------------------------------------------------------

namespace {

Colour bandColour(const Colour& of) {
  return of.faded(0.2, 0.14);
}

Mark intervalMark(const Values& x, const std::vector<Interval>& intervals, std::vector<Stroke> strokes,
                  Length cap) {
  ErrorBarMarks bars{x, {}, {}, std::move(strokes), cap};
  for (const Interval& interval : intervals) {
    bars.low.push_back(interval.low);
    bars.high.push_back(interval.high);
  }
  return {std::move(bars)};
}

std::string wordFor(std::int64_t count, const char* one, const char* many) {
  return withCommas(count) + " " + (count == 1 ? one : many);
}

// "96 to 270 heads"; "" where one of them is not known.
std::string rangeText(const std::vector<std::int64_t>& counts, const char* one, const char* many) {
  const auto [low, high] = std::minmax_element(counts.begin(), counts.end());
  if (counts.empty() || *low <= 0) return {};
  const std::string last = wordFor(*high, one, many);
  return *low == *high ? last : withCommas(*low) + " to " + last;
}

Stroke whiskerStroke(const Colour& colour) {
  return {colour, 1, Weight::Thin, {}, {}, true};
}

Stroke innerStroke(const Colour& colour) {
  return {colour, 3};
}

}  // namespace

Mark bandMark(const Values& x, const Values& low, const Values& high, const Colour& of) {
  return {BandMark{x, low, high, bandColour(of)}};
}

Mark whiskerMark(const Values& x, const std::vector<Interval>& intervals,
                 const std::vector<Colour>& colours) {
  std::vector<Stroke> strokes;
  for (const Colour& colour : colours) strokes.push_back(whiskerStroke(colour));
  return intervalMark(x, intervals, std::move(strokes), kWhiskerCap);
}

Mark innerMark(const Values& x, const std::vector<Interval>& intervals, const std::vector<Colour>& colours) {
  std::vector<Stroke> strokes;
  for (const Colour& colour : colours) strokes.push_back(innerStroke(colour));
  return intervalMark(x, intervals, std::move(strokes), {});
}

Mark zeroRule() {
  return {RuleMarks{false, {0}, {Ink::AxisLine, 1, Weight::Axis}}};
}

Mark levelRules(const Values& at, bool vertical) {
  return {RuleMarks{vertical, at, {Ink::Level, 1, Weight::Thin, {4, 3}}}};
}

bool anyKnown(const std::vector<Interval>& intervals) {
  return std::any_of(intervals.begin(), intervals.end(), [](const Interval& one) { return one.known(); });
}

Stroke meanStroke() {
  return {Ink::Text, 1, Weight::Line, {3.2, 2.0}, {}, true};
}

std::string intervalText(IntervalOver over, std::int64_t examples) {
  const std::string start = "95\u2009% over ";
  if (over != IntervalOver::Examples) return start + nameOf(over);
  return start + (examples > 0 ? wordFor(examples, "example", "examples") : "examples");
}

std::string overText(const Interval& interval, IntervalOver over) {
  if (!interval.known()) return {};
  return " (95 %: " + metricText(interval.low) + " \u2026 " + metricText(interval.high) + " over " +
         nameOf(over) + ")";
}

std::string estimateText(const std::string& name, double value, const Interval& interval) {
  const std::string text = name + " " + fixedText(value, 3);
  if (!interval.known()) return text;
  return text + " [" + fixedText(interval.low, 3) + ", " + fixedText(interval.high, 3) + "]";
}

std::string countText(std::int64_t heads, std::int64_t examples) {
  return countText(std::vector{heads}, std::vector{examples});
}

std::string countText(const std::vector<std::int64_t>& heads, const std::vector<std::int64_t>& examples) {
  const std::string first = rangeText(heads, "head", "heads"),
                    second = rangeText(examples, "example", "examples");
  return first + (first.empty() || second.empty() ? "" : ", ") + second;
}

void addPhaseRules(Box& box, const std::vector<std::size_t>& starts) {
  if (starts.empty()) return;
  Values at;
  for (const std::size_t start : starts) at.push_back(static_cast<double>(start) - 0.5);
  box.marks.push_back(levelRules(at, true));
  box.marks.back().layer = Layer::Below;
}

// --- Published numbers ----------------------------------------------------------------------------------

namespace {

// Halfway between text and ground colour: less prominent than own data in both themes.
Stroke publishedStroke(const Colour& of) {
  return {of.mixed(Ink::Ground, 0.5), 0.75, Weight::Line, {}, {}, true};
}

MarkerStyle publishedMarker() {
  return {Marker::Diamond, Colour(Ink::Text).mixed(Ink::Ground, 0.5), true, 1.5, Rim::Own};
}

}  // namespace

std::string publishedTip(const ReferenceCurve& curve, const std::string& value) {
  return "<b>" + richEscaped(curve.label) + "</b><br>" + value + "<br>" + curve.source + ": " +
         richEscaped(curve.accuracy);
}

Mark publishedMark(const ReferenceCurve& curve, double scale, const Colour& of, const std::string& metric) {
  LineMark line{{}, curve.y, publishedStroke(of)};
  for (const double x : curve.x) line.x.push_back(scale * x);
  line.marker = publishedMarker();
  line.marker->colour = line.stroke.colour;
  Mark mark{std::move(line), richEscaped(nameOf(curve))};
  for (const double value : curve.y)
    mark.tips.push_back(publishedTip(curve, metric + " " + metricText(value)));
  return mark;
}

Mark publishedLevels(const Values& left, const Values& right, const Values& y,
                     const std::vector<Colour>& of) {
  std::vector<Stroke> strokes;
  for (const Colour& colour : of) strokes.push_back(publishedStroke(colour));
  if (of.empty()) strokes.push_back(publishedStroke(Ink::Text));
  return {SegmentMarks{left, y, right, y, std::move(strokes)}, "published"};
}

std::string otherWindowText(std::int64_t published, std::int64_t window) {
  if (published <= 0 || published == window) return {};
  return ", window " + tokenLabel(static_cast<double>(published), static_cast<double>(published));
}

LegendEntry publishedEntry(const std::string& text, bool level) {
  Stroke line = publishedStroke(Ink::Text);
  line.cased = false;
  LegendEntry entry = lineEntry(text, line);
  if (level) return entry;
  entry.symbol.width = 2.2;
  entry.symbol.marker = publishedMarker();
  return entry;
}

std::string nameOf(const ReferenceCurve& curve) {
  return curve.label + (curve.label.empty() || curve.source.empty() ? "" : ", ") + curve.source;
}

// --- Legends --------------------------------------------------------------------------------------------

LegendEntry textEntry(const std::string& text) {
  return {text};
}

LegendEntry lineEntry(const std::string& text, const Stroke& line) {
  LegendEntry entry{text, {.width = 2, .line = line}};
  entry.symbol.line->cased = false;
  return entry;
}

LegendEntry boxEntry(const std::string& text, const Colour& fill) {
  return {text, {.width = 1.2, .box = fill}};
}

LegendEntry pointEntry(const std::string& text, const MarkerStyle& marker, double width) {
  return {text, {.width = width, .marker = marker}};
}

LegendEntry seriesEntry(const std::string& text, const SeriesStyle& style) {
  LegendEntry entry = pointEntry(text, style.mark(1.45), 2.4);
  entry.symbol.line = style.line;
  return entry;
}

LegendEntry barEntry(const std::string& text, const SeriesStyle& style) {
  return pointEntry(text, style.mark(1.6), 0.9);
}

LegendEntry bandEntry(const std::string& text, const Colour& of) {
  return boxEntry(text, bandColour(of));
}

LegendEntry whiskerEntry(const std::string& text) {
  LegendEntry entry{text, {.width = 0.7, .bar = whiskerStroke(Ink::Text), .cap = kWhiskerCap}};
  entry.symbol.bar->cased = false;
  return entry;
}

LegendEntry innerEntry(const std::string& text) {
  return {text, {.width = 0.5, .bar = innerStroke(Ink::Text)}};
}

std::vector<LegendEntry> familyLegend(const std::vector<ComparedName>& models) {
  std::vector<LegendEntry> legend;
  for (const ComparedName& model : models) {
    const std::string title = familyTitle(model.family);
    if (std::ranges::count(legend, title, &LegendEntry::text) == 0)
      legend.push_back(barEntry(title, familyStyle(model.family)));
  }
  return legend;
}

}  // namespace plastiscope
