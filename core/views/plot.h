#pragma once
// A picture as plain data: boxes with axes, marks on them, legends. A figure is a function from studies to a
// Plot; one renderer draws it (widgets/plots/plot_renderer.h), one writer each serialises it as pgfplots and
// HTML (widgets/export). Nothing here knows the theme, the screen or the page: colours are named by their
// meaning, lengths by the style's own measures. Texts are rich: <sub>, <sup>, <i>, <b>, &lt; &gt; &amp;
#include <cstdint>
#include <limits>
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
  Outside,    // where there can be no data
  Alternate,  // behind what is missing
  Selection,
  Casing,  // around lines, so that they show on everything
  OtherHeads,
  Bars,
  Query,
  Key,
  LateQuery,  // the last colours of the ramps over position
  LateKey,
  AxisLine,
  Level,    // dashed helper lines
  FewFill,  // cells of few pairs, and their hatching
  FewHatch,
  MissingHatch,  // hatching of what is missing
};

struct Mix {
  Ink with = Ink::None;
  double share = 0;
  bool operator==(const Mix&) const = default;
};

struct Colour {
  Ink ink = Ink::None;
  std::uint32_t light = 0, dark = 0;  // of Fixed, 0xrrggbb in each theme
  double alpha = 1;
  double printAlpha = -1;  // on light paper; negative = alpha
  std::vector<Mix> mixes;  // with other inks, one after the other

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
  std::optional<Length> exact = {};  // instead of a weight
  bool cased = false;                // on a wider line in the casing colour
  bool operator==(const Stroke&) const = default;
};

enum class Marker { Circle, Square, Diamond, Triangle, Ring, Dot, DownTriangle };
enum class Rim { None, Ground, Own };

struct MarkerStyle {
  Marker shape = Marker::Circle;
  Colour colour;
  bool hollow = false;  // a rim in the colour around the ground
  double size = 1;      // diameter, times the style's point size
  Rim rim = Rim::Ground;
  bool operator==(const MarkerStyle&) const = default;
};

// --- Marks ----------------------------------------------------------------------------------------------

struct PointMarks {
  Values x = {}, y = {};
  MarkerStyle style = {};
  double slots = 0;  // where so many places share the axis, points are not larger than three quarters of one
  // [points] values of a colour map, as CellMarks::colours, instead of the style's colour; NaN = muted. Empty
  // = none.
  Values shade = {};
  std::string colours = {};
  double low = 0, high = 1;
};

// Missing values interrupt the line. With a marker: at its points, at least `apart` from each other.
struct LineMark {
  Values x = {}, y = {};
  Stroke stroke = {};
  std::optional<MarkerStyle> marker = {};
  Length apart = {};
  bool noTips = false;  // part of another mark
};

// Between low and high, where both are known.
struct BandMark {
  Values x = {}, low = {}, high = {};
  Colour fill = {};
  bool sideways = false;  // x are places of the y axis, low and high values of the x axis
};

// Rectangles from one value to another: bars upright or lying, stacked or beside each other.
struct BarMarks {
  // [bars]; the value is `top` of upright bars and `right` of lying ones
  Values left = {}, right = {}, bottom = {}, top = {};
  std::vector<Colour> fills = {};  // one for all, or [bars]
  bool lying = false;
  std::optional<Stroke> rim = {};
  std::vector<Marker> feet = {};  // [bars] tells colours apart without colour; empty = none
  Texts numbers = {};             // [bars] "" = none
  enum class Numbers { Above, AboveAllOrNone, Inside };
  Numbers place = Numbers::Above;
  // What reaches beyond a bar ([bars], NaN = nothing), such as the end of its interval: numbers above stand
  // beyond it, and inside keep as far from the bar's end; a level only if they would cross it.
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

// Stretches of the x axis over the whole height, hatched: nothing is known there.
struct MissingMarks {
  std::vector<std::pair<double, double>> spans;
};

enum class CellState : std::uint8_t { Empty, Valued, Few, Unknown, Outside };

// A grid of cells: coloured by their values; hatched where those are few or unknown.
struct CellMarks {
  std::vector<std::pair<double, double>> columns = {}, rows = {};  // from, to
  Values value = {};                                               // [rows * columns], row by row
  std::vector<CellState> state = {};                               // [rows * columns]
  // Name of a colour map; "metrics", "maps": the style's; "queries", "keys": from the ground's colour to that
  // of the kind.
  std::string colours = {};
  double low = 0, high = 1;
  Texts texts = {};  // [rows * columns] alternatives "5,854|5.9k|6k": the first that fits
  enum class Between { Joined, Gap, Line };
  Between between = Between::Joined;
};

// Query and key rows, very many: in the colours of their positions, or as `colouring` says.
struct CloudMark {
  std::shared_ptr<const PlaneData> plane;
  std::shared_ptr<const RowColouring> colouring = {};
};

// Very many lines over the same x, faint over each other.
struct LinesMark {
  std::shared_ptr<const void> owner;  // keeps what follows alive, and tells pictures of them apart
  const Values* x = nullptr;
  const Values* y = nullptr;  // [lines * x]
  Stroke stroke;
};

// A cased arrow, and a ringed cross at a centre.
struct ArrowMark {
  bool arrow = true;
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0, centreX = 0, centreY = 0;
  Colour colour;
};

struct TextMarks {
  Values x = {}, y = {};
  Texts texts = {};
  Colour colour = Ink::Muted;
  Values room = {};  // [texts] on the x axis: where one is wider, all are left out; empty = any width
};

// Names beside points, clear of each other and of the points; and a note in the freest corner.
struct LabelMarks {
  Values x = {}, y = {};
  Texts texts = {};
  double radius = 1;  // of the points, times the style's point size
  Texts note = {};    // lines
  std::optional<std::pair<std::pair<double, double>, std::pair<double, double>>> line =
      {};  // better not crossed
};

// A stretch of a text in reading flow, wrapped to the width of the box, its tokens in the colours of a map;
// the type shrinks where it would not fit.
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
  std::string title = {};              // of the series: begins its tips
  Texts names = {};                    // [items] of single points, bars, cells: begin their tips
  std::vector<std::int64_t> ids = {};  // [items] what each is in the data, for a view that answers the mouse
  Texts tips = {};                     // [items] instead of what is made of title, name and the axes' titles
  Layer layer = Layer::Main;
  bool clip = true;         // at the box
  std::string series = {};  // text of the legend's entry that stands for it and can switch it off; "" = none
};

// --- Axes and boxes -------------------------------------------------------------------------------------

enum class Ticks { Numbers, Percent, Whole, Tokens, Names, AllNames };

struct Axis {
  std::string title = {};  // "long form|short form"; parts after " · " may be left out
  double low = 0, high = 1;
  bool reversed = false;
  Ticks ticks = Ticks::Numbers;
  double unit = 1;     // labels are values divided by it
  Texts names = {};    // of Names (as many as fit) and AllNames
  Values places = {};  // [names]; empty = 0, 1, ...
  double slant = 0;    // of the names, degrees
  bool grid = false, labels = true, tickMarks = true;
  bool opposite = false;       // labels above or on the right
  std::string lastLabel = {};  // half of it may stand beyond the box
  Texts farNames = {};         // on the side without labels, of as many as fit
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
  bool outside = false;  // its ground is that of places without data
  double height = 1;     // of boxes below each other
  std::optional<ColourScale> scale = {};
  std::vector<Mark> marks = {};
  std::vector<Box> beside = {};  // narrow ones on its right, whose y axes are its own
  Length width = {};             // of a box beside another one
};

// What stands before the text of an entry, drawn over each other in this order.
struct LegendSymbol {
  double width = 0;  // in heights of the type; 0 = no symbol
  std::optional<Colour> box = {};
  std::optional<Stroke> rim = {};
  Ink hatch = Ink::None;
  Ink ramp = Ink::None;  // Query or Key: early to late
  std::optional<Stroke> line = {}, bar = {};
  Length cap = {};  // of the bar
  std::optional<MarkerStyle> marker = {};
  bool ringed = false;
  bool operator==(const LegendSymbol&) const = default;
};

struct LegendEntry {
  std::string text = {};
  LegendSymbol symbol = {};
  std::string detail = {};  // behind the text, but not where panels share the entry
  bool beginsLine = false;  // whatever room the line before it has
};

// Boxes below each other with one legend, or panels in a grid.
struct Plot {
  std::vector<LegendEntry> legend = {};
  bool oneLine = false;  // a legend that leaves out what does not fit one line
  std::vector<Box> boxes = {};
  std::vector<Plot> panels = {};
  int columns = 1;      // of the panels
  bool unlike = false;  // panels of different kinds: they are equally large, not their boxes
  bool aligned =
      false;  // a matrix: boxes of a column stand exactly below each other, rows are as high as theirs
  std::optional<ColourScale> scale = {};  // beside all panels

  // All boxes in reading order.
  std::vector<const Box*> allBoxes() const;
};

// A plain text as a rich one.
std::string richEscaped(const std::string& plain);
// What is said about an item of a mark: its own tip, or one made of names and axes; "" = nothing.
std::string tipOf(const Box& box, const Mark& mark, std::size_t item);

}  // namespace plastiscope
