#pragma once
// Data model of a plot: boxes with axes, marks, legends. Figures are functions from studies to a Plot;
// widgets/plots/plot_renderer.h draws it, widgets/export writes it as pgfplots and HTML. It is independent of
// theme, screen and page: colours are named by meaning, lengths are multiples of the style's. Texts are rich:
// <sub>, <sup>, <i>, <b>, &lt; &gt; &amp;
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace plastiscope {

struct PlaneData;
struct RowColouring;
struct TextExcerpt;

using Values = std::vector<double>;  // NaN = missing: a gap, never zero
using Texts = std::vector<std::string>;

// --- Look -----------------------------------------------------------------------------------------------

enum class Ink {
  None,
  Fixed,  // the colour's own values
  Text,
  Muted,
  Border,
  Grid,
  Ground,     // behind the data
  Outside,    // regions that cannot hold data
  Alternate,  // behind missing values
  Selection,
  Casing,  // around lines, for contrast on any colour
  OtherHeads,
  Bars,
  Query,
  Key,
  LateQuery,  // end of the position ramps
  LateKey,
  AxisLine,
  Level,    // dashed helper lines
  FewFill,  // cells with few pairs, and their hatching
  FewHatch,
  MissingHatch,  // hatching of missing values
};

struct Mix {
  Ink with = Ink::None;
  double share = 0;
  bool operator==(const Mix&) const = default;
};

struct Colour {
  Ink ink = Ink::None;
  std::uint32_t light = 0, dark = 0;  // for Fixed: 0xrrggbb in each theme
  double alpha = 1;
  double printAlpha = -1;  // on light paper; negative = alpha
  std::vector<Mix> mixes;  // with other inks, applied in order

  Colour() = default;
  Colour(Ink named, double opacity = 1) : ink(named), alpha(opacity) {}
  Colour(std::uint32_t inLight, std::uint32_t inDark) : ink(Ink::Fixed), light(inLight), dark(inDark) {}
  Colour faded(double opacity, double onPaper = -1) const;
  Colour mixed(Ink with, double share) const;
  bool operator==(const Colour&) const = default;
};

// Points in print, pixels on the screen.
struct Length {
  double print = 0, screen = 0;
  bool operator==(const Length&) const = default;
};

enum class Weight { Line, Thin, Axis };  // widths of the style

struct Stroke {
  Colour colour;
  double width = 1;  // times the weight
  Weight weight = Weight::Line;
  Values dash = {};                  // dash, space, ... in widths; empty = solid
  std::optional<Length> exact = {};  // instead of `weight`
  bool cased = false;                // on a wider line in the casing colour
  bool operator==(const Stroke&) const = default;
};

enum class Marker { Circle, Square, Diamond, Triangle, Ring, Dot, DownTriangle };
enum class Rim { None, Ground, Own };

struct MarkerStyle {
  Marker shape = Marker::Circle;
  Colour colour;
  bool hollow = false;  // ring in the colour, filled with the ground colour
  double size = 1;      // diameter, times the style's point size
  Rim rim = Rim::Ground;
  bool operator==(const MarkerStyle&) const = default;
};

// --- Marks ----------------------------------------------------------------------------------------------

struct PointMarks {
  Values x = {}, y = {};
  MarkerStyle style = {};
  double slots = 0;  // number of places on the axis: points are at most three quarters of a place wide
  // [points] values of a colour map, as CellMarks::colours, instead of the style's colour; NaN = muted. Empty
  // = none.
  Values shade = {};
  std::string colours = {};
  double low = 0, high = 1;
};

// Missing values interrupt the line. Markers are drawn at its points, at least `apart` from each other.
struct LineMark {
  Values x = {}, y = {};
  Stroke stroke = {};
  std::optional<MarkerStyle> marker = {};
  Length apart = {};
  bool noTips = false;  // part of another mark, without tool tips
};

// Area between low and high, where both are known.
struct BandMark {
  Values x = {}, low = {}, high = {};
  Colour fill = {};
  bool sideways = false;  // x are coordinates on the y axis, low and high on the x axis
};

// Rectangular bars, upright or horizontal, stacked or grouped.
struct BarMarks {
  // [bars]; the value is `top` of upright bars and `right` of horizontal ones
  Values left = {}, right = {}, bottom = {}, top = {};
  std::vector<Colour> fills = {};  // one for all, or [bars]
  bool lying = false;
  std::optional<Stroke> rim = {};
  std::vector<Marker> feet = {};  // [bars] distinguishes series without colour; empty = none
  Texts numbers = {};             // [bars] "" = none
  enum class Numbers { Above, AboveAllOrNone, Inside };
  Numbers place = Numbers::Above;
  // [bars] end of what extends beyond a bar, such as its interval; NaN = nothing. Numbers above keep clear of
  // it, numbers inside keep the same distance to the bar's end; levels count only where they would cross.
  Values reach = {};
  std::vector<Values> levels = {};
};

// From low to high at x, with caps.
struct ErrorBarMarks {
  Values x = {}, low = {}, high = {};
  std::vector<Stroke> strokes = {};  // one for all, or [bars]
  Length cap = {};                   // half of its width; 0 = none
};

struct SegmentMarks {
  Values x0 = {}, y0 = {}, x1 = {}, y1 = {};
  std::vector<Stroke> strokes = {};  // one for all, or [segments]
};

// Lines across the whole box.
struct RuleMarks {
  bool vertical = false;
  Values at;
  Stroke stroke;
};

// Hatched spans of the x axis over the whole height, where nothing is known.
struct MissingMarks {
  std::vector<std::pair<double, double>> spans;
};

enum class CellState : std::uint8_t { Empty, Valued, Few, Unknown, Outside };

// Grid of cells coloured by value, hatched where values are few or unknown.
struct CellMarks {
  std::vector<std::pair<double, double>> columns = {}, rows = {};  // from, to
  Values value = {};                                               // [rows * columns], row by row
  std::vector<CellState> state = {};                               // [rows * columns]
  // Name of a colour map; "metrics", "maps": those of the style; "queries", "keys": from the ground colour to
  // the colour of the kind.
  std::string colours = {};
  double low = 0, high = 1;
  Texts texts = {};  // [rows * columns] alternatives "5,854|5.9k|6k": the first that fits is drawn
  enum class Between { Joined, Gap, Line };
  Between between = Between::Joined;
};

// Large numbers of query and key rows, coloured by position or by `colouring`.
struct CloudMark {
  std::shared_ptr<const PlaneData> plane;
  std::shared_ptr<const RowColouring> colouring = {};
};

// Large numbers of faint lines over the same x.
struct LinesMark {
  std::shared_ptr<const void> owner;  // keeps the data alive and identifies it in caches
  const Values* x = nullptr;
  const Values* y = nullptr;  // [lines * x]
  Stroke stroke;
};

// Arrow with a casing, and a ringed cross at a centre.
struct ArrowMark {
  bool arrow = true;
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0, centreX = 0, centreY = 0;
  Colour colour;
};

struct TextMarks {
  Values x = {}, y = {};
  Texts texts = {};
  Colour colour = Ink::Muted;
  Values room = {};  // [texts] widths on the x axis: if a text is wider, all are left out; empty = any width
  // [texts] Names of lines that end at their places: moved apart along y, with lines of these colours from
  // the places; where there is no room for all, the most crowded are left out. Empty = centred at their
  // places.
  std::vector<Colour> ends = {};
};

// Names beside points that overlap neither each other nor points; and a note in the emptiest corner.
struct LabelMarks {
  Values x = {}, y = {};
  Texts texts = {};
  double radius = 1;  // point radius, times the style's point size
  Texts note = {};    // lines
  std::optional<std::pair<std::pair<double, double>, std::pair<double, double>>> line =
      {};  // preferably not crossed
};

// Excerpt of a text, wrapped to the width of the box, tokens coloured by a map; the font shrinks if it does
// not fit.
struct ExcerptMark {
  std::shared_ptr<const TextExcerpt> excerpt;
  std::string colours = {};  // as CellMarks::colours
};

using MarkKind = std::variant<PointMarks, LineMark, BandMark, BarMarks, ErrorBarMarks, SegmentMarks,
                              RuleMarks, MissingMarks, CellMarks, CloudMark, LinesMark, ArrowMark, TextMarks,
                              LabelMarks, ExcerptMark>;
enum class Layer { Below, Main, Above };

struct Mark {
  MarkKind kind = {};
  std::string title = {};              // name of the series: begins its tool tips
  Texts names = {};                    // [items] names of single points, bars, cells: begin their tool tips
  std::vector<std::int64_t> ids = {};  // [items] index in the data, for views that handle the mouse
  Texts tips = {};                     // [items] replace the tool tips made of title, name and axis titles
  Layer layer = Layer::Main;
  bool clip = true;         // at the box
  std::string series = {};  // text of the legend entry that represents it and can hide it; "" = none
};

// --- Axes and boxes -------------------------------------------------------------------------------------

enum class Ticks { Numbers, Percent, Whole, Tokens, Names, AllNames };

struct Axis {
  std::string title = {};  // "long form|short form"; parts after " · " may be left out
  double low = 0, high = 1;
  bool reversed = false;
  Ticks ticks = Ticks::Numbers;
  double unit = 1;     // labels are values divided by it
  Texts names = {};    // for Names (as many as fit) and AllNames
  Values places = {};  // [names]; empty = 0, 1, ...
  double slant = 0;    // slant of names, degrees
  bool grid = false, labels = true, tickMarks = true;
  bool opposite = false;       // labels above or on the right
  std::string lastLabel = {};  // half of it may extend beyond the box
  Texts farNames = {};         // on the side without labels, as many as fit
  Values farPlaces = {};       // [farNames]
};

enum class Frame { Box, Open, None };  // Open: only the lower and the left line on paper

struct ColourScale {
  std::string colours = {};  // as CellMarks::colours
  double low = 0, high = 1;
  std::string title = {};
  double unit = 1;
  bool operator==(const ColourScale&) const = default;
};

struct Box {
  Axis x = {}, y = {};
  Frame frame = Frame::Box;
  bool outside = false;  // ground colour of regions without data
  double height = 1;     // relative height among boxes below each other
  std::optional<ColourScale> scale = {};
  std::vector<Mark> marks = {};
  std::vector<Box> beside = {};  // narrow boxes on its right with y axes of their own
  Length width = {};             // for a box beside another one
};

// Symbol before the text of an entry; several are drawn over each other in this order.
struct LegendSymbol {
  double width = 0;  // in heights of the font; 0 = no symbol
  std::optional<Colour> box = {};
  std::optional<Stroke> rim = {};
  Ink hatch = Ink::None;
  Ink ramp = Ink::None;  // Query or Key: early to late
  std::optional<Stroke> line = {}, bar = {};
  Length cap = {};  // caps of the bar
  std::optional<MarkerStyle> marker = {};
  bool ringed = false;
  bool operator==(const LegendSymbol&) const = default;
};

struct LegendEntry {
  std::string text = {};
  LegendSymbol symbol = {};
  std::string detail = {};  // after the text, left out where panels share the entry
  bool beginsLine = false;  // starts a line even if the line before has room
};

// Place of a panel from the top left of its plot, in parts of the plot's width (both directions).
struct PanelPlace {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
  bool operator==(const PanelPlace&) const = default;
};

// Boxes below each other with one legend, or panels in a grid or at free places.
struct Plot {
  std::vector<LegendEntry> legend = {};
  bool oneLine = false;  // entries that do not fit on one line are left out
  std::vector<Box> boxes = {};
  std::vector<Plot> panels = {};
  std::vector<PanelPlace> places = {};  // [panels] free places; empty: a grid
  int columns = 1;                      // columns of panels
  bool unlike = false;                  // panels of different kinds: equal outer sizes, not equal boxes
  bool aligned = false;  // a matrix: boxes of a column are aligned, rows have the heights of their boxes
  std::optional<ColourScale> scale = {};  // beside all panels

  // All boxes in reading order.
  std::vector<const Box*> allBoxes() const;
};

// Escapes plain text as rich text.
std::string richEscaped(const std::string& plain);
// Tool tip of an item: its own text, or one made of names and axes; "" = none.
std::string tipOf(const Box& box, const Mark& mark, std::size_t item);

}  // namespace plastiscope
