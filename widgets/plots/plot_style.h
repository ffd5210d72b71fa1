#pragma once
// Style of all plots: colours, colour maps, fonts and line widths on the screen and in print.
#include <QColor>
#include <QFont>
#include <QPalette>
#include <QPen>
#include <QStringList>
#include <algorithm>
#include <array>

#include "core/base/query_or_key.h"
#include "core/views/plot.h"

namespace plastiscope {

enum class Theme { Light, Dark };
Theme themeOf(const QPalette& palette);  // by the lightness of the window colour

struct PlotColours {
  QColor window, view, alternate;  // around the plot, behind the data, "no data" in maps is `window`
  QColor text, muted, border, grid;
  QColor selection, casing;  // orange; line around it for contrast on any colour
  QColor otherHeads;         // grey lines, with alpha
  QColor good, caution;
  QColor bars;                               // neutral bars
  std::array<QColor, 4> queryRamp, keyRamp;  // early to late; late has the highest contrast
  QColor query, key;                         // one colour per kind where position is not shown
};

// All lengths are in layout units: logical pixels on the screen, twentieths of a point in print.
struct PlotStyle {
  Theme theme = Theme::Light;
  bool print = false;
  double unit = 1;      // layout units of one point (print) or of one logical pixel (screen)
  double imageDpi = 0;  // print: resolution of point clouds too large for vectors
  PlotColours colours;
  QFont label, tick, number;  // axis titles; tick labels and legend; numbers on bars
  double axisWidth = 1, gridWidth = 1, lineWidth = 1.5, thinWidth = 1, pointSize = 4;
  double tickLength = 4, gap = 4;
  QString metricColours = QStringLiteral("viridis"), mapColours = QStringLiteral("magma");  // colour maps

  double u(double points) const { return points * unit; }
  int units(double points) const;  // rounded, at least 1 for a positive length

  static PlotStyle screen(Theme theme, const QFont& base);
};

// Sets the colour maps of all views on the screen (files keep theirs, for stable output).
void setScreenColours(const QString& metrics, const QString& maps);

struct PrintOptions {
  Theme theme = Theme::Light;
  double labelPoints = 9, tickPoints = 7, numberPoints = 6.5;
  double linePoints = 0.6;
  QString family;  // "" = the first installed Times-compatible serif
  double imageDpi = 600;
};
inline constexpr int kUnitsPerPoint = 20;
PlotStyle printStyle(const PrintOptions& options);
// The first installed of TeX Gyre Termes, Times New Roman, Liberation Serif, ...; needs a QGuiApplication.
QString printSerif();
PlotColours plotColours(Theme theme, bool print);

// Converts colours, strokes and lengths of a plot to a style.
QColor colourOf(const Colour& colour, const PlotStyle& style);
QPen penOf(const Stroke& stroke, const PlotStyle& style);
double lengthOf(const Length& length, const PlotStyle& style);
QPen pen(const QColor& color, double width, Qt::PenStyle pattern = Qt::SolidLine);
// The line under `inner` in the casing colour, for contrast on any colour.
QPen casedPen(const PlotStyle& style, const QPen& inner);

// Without alpha; share 0: `from`, 1: `to`.
QColor mixedColour(const QColor& from, const QColor& to, double share);
// Position in a ramp: share 0 (early) .. 1 (late).
QColor rampColour(const std::array<QColor, 4>& ramp, double share);

// 256 colours from low to high (resources/colour_maps).
class ColourMap {
 public:
  explicit ColourMap(const std::array<QRgb, 256>& colours) : m_colours(colours) {}
  // share is clamped to 0..1; must not be NaN.
  QRgb at(double share) const {  // inline: called a million times for a big map
    return m_colours[static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * 255 + 0.5)];
  }
  const std::array<QRgb, 256>& colours() const { return m_colours; }

 private:
  std::array<QRgb, 256> m_colours;
};

// viridis, cividis, magma, blues and reds (sequential), blue_white_red (diverging). Error (internal) for
// another name.
const ColourMap& colourMap(const QString& name);
QStringList colourMapNames();

// For values of queries or keys: the highest has the most contrast, so it is the light end on a dark ground.
const ColourMap& kindColours(QueryOrKey kind, Theme theme);

// The map of a mark: "metrics" and "maps" are those of the style, "queries" and "keys" kindColours().
const ColourMap& colourMapOf(const std::string& name, const PlotStyle& style);

}  // namespace plastiscope
