#pragma once
// Building blocks of figures: axes of values, models and positions, styles of series, intervals, published
// numbers, legend entries.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/compare/compared_profiles.h"
#include "core/compare/reference_data.h"
#include "core/views/depth_data.h"
#include "core/views/head_group.h"
#include "core/views/head_interval.h"
#include "core/views/metric_info.h"
#include "core/views/plot.h"

namespace plastiscope {

using ValueRange = std::optional<std::pair<double, double>>;

// --- Numbers and texts ----------------------------------------------------------------------------------

void append(Values& all, const Values& more);
bool anyFinite(std::span<const double> values);

std::string numberLabel(double value, int decimals);    // "−1,234.50"
std::string tokenLabel(double tokens, double largest);  // "1,024"; above 16,384 "32K"
std::string percentLabel(double percent);               // "3.4", "12": one decimal below ten
// The power of ten (multiple of 3) that brings values up to `largest` into 0.1 .. 1000.
int powerFor(double largest);

// --- Axes -----------------------------------------------------------------------------------------------

// `fromZero`: for bars. Signed metrics include zero. The title names the power of ten left out of labels.
Axis valueAxis(const MetricInfo& metric, const Values& values, bool fromZero, const ValueRange& range);
// The same without including zero, for scatter plots.
Axis plainValueAxis(const MetricInfo& metric, const Values& values, const ValueRange& range);
// Title with unit and power of ten.
std::string titleWithUnit(const MetricInfo& metric, int power);
// "long (nats per token)|short (nats per token)|short (nats/token)" from "long|short": a title that is
// shortened keeps its unit.
std::string titleForms(const std::string& forms, const std::string& unit);
// Models at 0, 1, ..., names slanted where they would touch.
Axis modelAxis(const std::vector<ComparedName>& models, bool upright = false);
enum class PositionAxis { Share, Tokens };
// From 0 to `end`; coordinates are tokens if the whole axis is `window` tokens.
Axis positionAxis(PositionAxis kind, double end, double window);
// The quintiles of the window at 0 ... 4.
Axis quintileAxis();

// --- Series ---------------------------------------------------------------------------------------------

struct FamilyMark {
  Colour colour;
  Marker marker = Marker::Ring;
};
// From resources/themes/families.json; grey with a ring for an unlisted family.
FamilyMark familyMark(const std::string& family);
std::string familyTitle(const std::string& family);  // "Llama"; rich

// Names from entries with a member `model`.
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
Marker markerNamed(const std::string& name);                            // names as in the style files
Colour colourNamed(const std::string& light, const std::string& dark);  // "#0072B2"
// Looks of captures are numbers: colour + kLookColours * mark (resources/themes/captures.json). The look of a
// single capture by its fingerprint (captureDigestOf):
int captureLook(const std::string& digest);
// `wanted`, unless it is in `taken` or its colour is more common there than another one; then the next free
// look: up to kLookColours looks found this way have different colours.
int fittingLook(int wanted, const std::vector<int>& taken);
// [models] Looks of models that are shown together, in any order: each keeps its own or assigned look, but no
// colour is used more often than needed. Two with one fingerprint differ in their mark. Nullopt: no
// fingerprint.
std::vector<std::optional<int>> captureLooks(const std::vector<ComparedName>& models);
SeriesStyle lookStyle(int look);
SeriesStyle captureStyle(const std::string& digest);  // lookStyle(captureLook(digest))
// The colour of a group of heads in both themes, and the marker of its place among the shown groups.
SeriesStyle groupStyle(const HeadGroup& group, std::size_t place);
// One style for all models of a family, when there are too many for one each.
SeriesStyle familyStyle(const std::string& family);
// Captures as captureLooks(). Models that are no known capture get their family's colour and marker, a shade
// for each further one of the family, and a dash each.
std::vector<SeriesStyle> seriesStyles(const std::vector<ComparedName>& models);
// Without the owner of a repository ("Qwen/Qwen3-0.6B"), where the names stay unique.
Texts shownNames(const std::vector<ComparedName>& models);
// More models than this are named beside the ends of their lines instead of in a legend.
inline constexpr std::size_t kMostInLegend = 8;
// Narrow box for the right of `of` with the names of its lines; `ends`: [lines] their last values.
Box namesBeside(const Box& of, const Texts& names, const std::vector<SeriesStyle>& styles,
                const Values& ends);
// The last value that is not missing; NaN without one.
double lastOf(const Values& values);
// Line with markers; `apart`: minimum distance between markers.
Mark seriesMark(const Values& x, const Values& y, const SeriesStyle& style, const std::string& title,
                Length apart = {});
Values placesOf(std::size_t count);  // 0, 1, ...
Values shifted(Values places, double offset);
inline constexpr double kHalfBar = 0.31;  // share of the place of a model or a quintile
// Place of a bar among `members` series grouped at `group` = 0, 1, ... of an axis.
struct BarPlace {
  std::size_t group = 0, member = 0, members = 1;
  double left() const { return at(0.05); }
  double right() const { return at(0.95); }
  double middle() const { return (left() + right()) / 2; }
  double at(double part) const;  // fraction of the bar's width, 0..1, to coordinate
};
// A bar from 0 in the colour of its series, its marker at the foot; `number`: "" where the value is missing.
void addBar(BarMarks& bars, const BarPlace& place, double value, const SeriesStyle& style,
            const std::string& number);
Colour taxonomyColour(std::size_t index);

// --- Layers ---------------------------------------------------------------------------------------------

// Means of consecutive layers, with a gap where a layer between them has none.
struct LayerRuns {
  Values x, centre, low, high;
  std::vector<std::size_t> of;  // [x] index of the mean; in a gap that of the one before
};
// `x`: coordinates of the means; `reach`: extension of each run at both ends, also of single layers.
LayerRuns layerRuns(const LayerMeans& means, const Values& x, double reach);
inline constexpr double kLayerReach = 0.35;  // share of the distance between layers

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

// "95 % over 12 examples", "95 % over heads"; `examples` 0: unknown, or not the same for all.
std::string intervalText(IntervalOver over, std::int64_t examples = 0);
// " (95 %: 0.312 … 0.405 over heads)"; "" without an interval.
std::string overText(const Interval& interval, IntervalOver over);
// "placement 0.106 [0.081, 0.131]"; without an interval only the value.
std::string estimateText(const std::string& name, double value, const Interval& interval);
// "270 heads, 12 examples", without counts of 0. For several: "96 to 270 heads".
std::string countText(std::int64_t heads, std::int64_t examples);
std::string countText(const std::vector<std::int64_t>& heads, const std::vector<std::int64_t>& examples);
// Dashed lines before models that start a phase.
void addPhaseRules(Box& box, const std::vector<std::size_t>& starts);

// --- Published numbers ----------------------------------------------------------------------------------

// Thin line with open diamonds through scale * x; `of`: the colour of the model, text colour if it is alone;
// `metric`: name of the values, rich.
Mark publishedMark(const ReferenceCurve& curve, double scale, const Colour& of = Ink::Text,
                   const std::string& metric = "AP");
// Levels as wide as bars.
Mark publishedLevels(const Values& left, const Values& right, const Values& y,
                     const std::vector<Colour>& of = {});
// Tool tip of a published value, with how it was read.
std::string publishedTip(const ReferenceCurve& curve, const std::string& value);
// ", window 128K" if the model of the published numbers has another window than the data; else "".
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
  int columns = 0;                      // 0 = about as many as rows
  bool letters = true;                  // (a), (b), ... where there are several
  std::string note;                     // above all: note on the whole figure
  bool unlike = false;                  // panels of different kinds: only legend entries are shared
  std::vector<PanelPlace> places = {};  // [panels] free places, nothing is shared; empty: a grid
};
// Columns and rows for that many panels.
std::pair<int, int> panelGrid(std::size_t panels, int columns);
// Panels with letters; what they have in common is shown once: legend entries, labels of equal axes, the
// colour scale.
Plot composePlots(std::vector<PanelPlot> panels, const PanelOptions& options);

}  // namespace plastiscope
