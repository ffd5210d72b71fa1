#pragma once
// What figures are made of beside the marks themselves: axes of values, models and positions, looks of
// series, intervals, published numbers, entries of legends.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/compare/compared_profiles.h"
#include "core/compare/published_numbers.h"
#include "core/views/depth_data.h"
#include "core/views/head_interval.h"
#include "core/views/metric_info.h"
#include "core/views/plot.h"

namespace plastiscope {

using ValueRange = std::optional<std::pair<double, double>>;

// --- Numbers and texts ----------------------------------------------------------------------------------

void append(Values& all, const Values& more);
bool anyFinite(std::span<const double> values);

std::string numberLabel(double value, int decimals);    // "−1,234.50"
std::string tokenLabel(double tokens, double largest);  // "1,024"; beyond 16,384 "32K"
std::string percentLabel(double percent);               // "3.4", "12": one decimal below ten
// The power of ten (multiple of 3) that brings values up to `largest` into 0.1 .. 1000.
int powerFor(double largest);

// --- Axes -----------------------------------------------------------------------------------------------

// `fromZero`: bars. Signed metrics keep zero inside. The title names the power of ten that labels leave out.
Axis valueAxis(const MetricInfo& metric, const Values& values, bool fromZero, const ValueRange& range);
// The same without zero in sight: for scatters.
Axis plainValueAxis(const MetricInfo& metric, const Values& values, const ValueRange& range);
// The title of values with their unit and power; `high`: the largest shown.
std::string titleWithUnit(const MetricInfo& metric, int power);
// Models at 0, 1, ..., slanted where their names would touch.
Axis modelAxis(const std::vector<ComparedName>& models, bool upright = false);
enum class PositionAxis { Share, Tokens };
// From 0 to `end`; where `window` tokens are all of it, its coordinates are tokens too.
Axis positionAxis(PositionAxis kind, double end, double window);
// The quintiles of the window at 0 ... 4.
Axis quintileAxis();

// --- Series ---------------------------------------------------------------------------------------------

struct FamilyMark {
  Colour colour;
  Marker marker = Marker::Ring;
};
// Of resources/themes/families.json; grey with a ring for a family that is not listed.
FamilyMark familyMark(const std::string& family);
std::string familyTitle(const std::string& family);  // "Llama"; rich

// Of entries with a `model` each.
template <typename Entries>
std::vector<ComparedName> comparedNames(const Entries& entries) {
  std::vector<ComparedName> names;
  for (const auto& entry : entries) names.push_back(entry.model);
  return names;
}

struct SeriesStyle {
  Colour colour;
  Marker marker = Marker::Ring;
  bool hollow = false;
  Stroke line;
  MarkerStyle mark(double size) const {
    return {marker, colour, hollow, size, hollow ? Rim::Own : Rim::Ground};
  }
};
SeriesStyle seriesStyle(const Colour& colour, Marker marker);
Marker markerNamed(const std::string& name);                            // as in the files of looks
Colour colourNamed(const std::string& light, const std::string& dark);  // "#0072B2"
// Looks of captures are numbers: colour + kLookColours * mark (resources/themes/captures.json). That of a
// capture by its print (capturePrint) alone:
int captureLook(const std::string& print);
// `wanted`, or, where it is among `taken` or its colour is more common there than another one, the next that
// is not: up to kLookColours looks that are found so have different colours.
int fittingLook(int wanted, const std::vector<int>& taken);
// [models] Those that models stand beside each other with, whatever their order: of each its own or the one
// that it is given, but no colour more often than needed. Two of one print differ in their mark. Nothing: no
// print.
std::vector<std::optional<int>> captureLooks(const std::vector<ComparedName>& models);
SeriesStyle lookStyle(int look);
SeriesStyle captureStyle(const std::string& print);  // lookStyle(captureLook(print))
// One for all models of a family, where there are too many for one each.
SeriesStyle familyStyle(const std::string& family);
// Captures as captureLooks() says. Models that are no known capture take their family's colour and marker, a
// shade for the next of the same family, a dash for each.
std::vector<SeriesStyle> seriesStyles(const std::vector<ComparedName>& models);
// Without the owner of a repository ("Qwen/Qwen3-0.6B"), where the names stay different.
Texts shownNames(const std::vector<ComparedName>& models);
// A line with its markers; `apart`: between markers.
Mark seriesMark(const Values& x, const Values& y, const SeriesStyle& style, const std::string& title,
                Length apart = {});
Values placesOf(std::size_t count);  // 0, 1, ...
Values shifted(Values places, double offset);
inline constexpr double kHalfBar = 0.31;  // of the place of a model or a quintile
// The bar of one of `members` series that stand beside each other at `group` = 0, 1, ... of an axis.
struct BarPlace {
  std::size_t group = 0, member = 0, members = 1;
  double left() const { return at(0.05); }
  double right() const { return at(0.95); }
  double middle() const { return (left() + right()) / 2; }
  double at(double part) const;  // of its share of the group
};
// From 0 in the colour of its series, with its marker at the foot; `number`: "" where the value is missing.
void addBar(BarMarks& bars, const BarPlace& place, double value, const SeriesStyle& style,
            const std::string& number);
Colour taxonomyColour(std::size_t index);

// --- Layers ---------------------------------------------------------------------------------------------

// The means of layers that follow each other, with a gap where a layer between has none.
struct LayerRuns {
  Values x, centre, low, high;
  std::vector<std::size_t> of;  // [x] which of the means; that before it in a gap
};
// `x`: places of the means; `reach`: so much further to both sides reaches a run, that of one layer too.
LayerRuns layerRuns(const LayerMeans& means, const Values& x, double reach);
inline constexpr double kLayerReach = 0.35;  // of the distance of two layers

// --- Intervals and levels -------------------------------------------------------------------------------

inline constexpr Length kWhiskerCap{1.6, 3};
Mark bandMark(const Values& x, const Values& low, const Values& high, const Colour& of);
Mark whiskerMark(const Values& x, const std::vector<Interval>& intervals, const std::vector<Colour>& colours);
// The same inside a longer bar.
Mark innerMark(const Values& x, const std::vector<Interval>& intervals, const std::vector<Colour>& colours);
Mark zeroRule();                                   // horizontal
Mark levelRules(const Values& at, bool vertical);  // thin, dashed
bool anyKnown(const std::vector<Interval>& intervals);
Stroke meanStroke();  // dashed: a mean over heads

// "95 % over 12 examples", "95 % over heads"; `examples` 0: not known, or different ones.
std::string intervalText(IntervalOver over, std::int64_t examples = 0);
// " (95 %: 0.312 … 0.405 over heads)"; "" without an interval.
std::string overText(const Interval& interval, IntervalOver over);
// "270 heads, 12 examples"; what is 0 is not said. Of several: "96 to 270 heads".
std::string countText(std::int64_t heads, std::int64_t examples);
std::string countText(const std::vector<std::int64_t>& heads, const std::vector<std::int64_t>& examples);
// Dashed lines before models that begin a phase.
void addPhaseRules(Box& box, const std::vector<std::size_t>& starts);

// --- Published numbers ----------------------------------------------------------------------------------

// A thin line with open diamonds through scale * x; `of`: the colour of the model, text where it is alone;
// `metric`: what the values are, rich.
Mark publishedMark(const ReferenceCurve& curve, double scale, const Colour& of = Ink::Text,
                   const std::string& metric = "AP");
// Levels as wide as bars.
Mark publishedLevels(const Values& left, const Values& right, const Values& y,
                     const std::vector<Colour>& of = {});
// What is said of one published value: how it was read, too.
std::string publishedTip(const ReferenceCurve& curve, double value, const std::string& metric);
// ", window 128K": of published numbers whose model has another window than the data; "" for the same one.
std::string otherWindowText(std::int64_t published, std::int64_t window);
LegendEntry publishedEntry(const std::string& text, bool level);
std::string nameOf(const ReferenceCurve& curve);

// --- Legends --------------------------------------------------------------------------------------------

LegendEntry textEntry(const std::string& text);
LegendEntry lineEntry(const std::string& text, const Stroke& line);
LegendEntry boxEntry(const std::string& text, const Colour& fill);
LegendEntry pointEntry(const std::string& text, const MarkerStyle& marker, double width = 0.8);
LegendEntry seriesEntry(const std::string& text, const SeriesStyle& style);
LegendEntry barEntry(const std::string& text, const SeriesStyle& style);
LegendEntry bandEntry(const std::string& text, const Colour& of);
LegendEntry whiskerEntry(const std::string& text);
LegendEntry innerEntry(const std::string& text);
std::vector<LegendEntry> familyLegend(const std::vector<ComparedName>& models);

// --- Panels ---------------------------------------------------------------------------------------------

struct PanelPlot {
  std::string title;  // rich; may be empty
  Plot plot;
};
struct PanelOptions {
  int columns = 0;      // 0 = about as many as rows
  bool letters = true;  // (a), (b), ... where there are several
  std::string note;     // above all: what holds for the whole figure
  bool unlike = false;  // panels of different kinds: nothing is shared but entries of legends
};
// Columns and rows of so many panels.
std::pair<int, int> panelGrid(std::size_t panels, int columns);
// Panels with letters; what they have in common stands once: entries of legends, labels of axes that mean the
// same, a colour scale.
Plot composePlots(std::vector<PanelPlot> panels, const PanelOptions& options);

}  // namespace plastiscope
