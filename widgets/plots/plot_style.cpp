#include "widgets/plots/plot_style.h"

#include <QFile>
#include <QFontDatabase>
#include <QFontInfo>
#include <cmath>

#include "core/base/error.h"
#include "core/figures/plot_palette.h"

static void initColourMaps() {
  Q_INIT_RESOURCE(colour_maps);
}  // must be outside of any namespace

namespace plastiscope {

namespace {

std::array<QColor, 4> rampOf(Ink kind, bool dark) {
  const auto ramp = positionRamp(kind, dark);
  return {QColor(ramp[0]), QColor(ramp[1]), QColor(ramp[2]), QColor(ramp[3])};
}

PlotColours paletteColours(bool dark) {
  const auto of = [dark](Ink ink) { return QColor(inkColour(ink, dark)); };
  QColor otherHeads = of(Ink::OtherHeads);
  otherHeads.setAlpha(static_cast<int>(std::lround(255 * kOtherHeadsAlpha[dark ? 1 : 0])));
  return {.window = of(Ink::Outside),
          .view = of(Ink::Ground),
          .alternate = of(Ink::Alternate),
          .text = of(Ink::Text),
          .muted = of(Ink::Muted),
          .border = of(Ink::Border),
          .grid = of(Ink::Grid),
          .selection = of(Ink::Selection),
          .casing = of(Ink::Casing),
          .otherHeads = otherHeads,
          .good = dark ? "#4cc27f" : "#1f8b4c",
          .caution = dark ? "#f5a742" : "#b35c00",
          .bars = of(Ink::Bars),
          .queryRamp = rampOf(Ink::Query, dark),
          .keyRamp = rampOf(Ink::Key, dark),
          .query = of(Ink::Query),
          .key = of(Ink::Key)};
}

QFont sized(QFont font, double units) {
  font.setPixelSize(std::max(1, static_cast<int>(std::lround(units))));
  return font;
}

}  // namespace

Theme themeOf(const QPalette& palette) {
  return palette.color(QPalette::Window).lightness() < 128 ? Theme::Dark : Theme::Light;
}

PlotColours plotColours(Theme theme, bool print) {
  PlotColours c = paletteColours(theme == Theme::Dark);
  if (print && theme == Theme::Light) {  // on paper: black, with paler helper lines
    c.text = "#000000";
    c.muted = "#000000";
    c.border = "#000000";
    c.grid = "#e2e4e6";
    c.otherHeads = QColor(0x6d, 0x75, 0x7b, 56);
  }
  if (print) c.window = theme == Theme::Light ? QColor("#f1f2f3") : c.window;
  if (print && theme == Theme::Dark) {
    c.muted = c.text;
    c.border = "#a9b0b5";
  }
  return c;
}

int PlotStyle::units(double points) const {
  const int rounded = static_cast<int>(std::lround(points * unit));
  return points > 0 ? std::max(1, rounded) : rounded;
}

namespace {

struct ScreenColours {
  QString metrics = QStringLiteral("viridis"), maps = QStringLiteral("magma");
};
ScreenColours& screenColours() {
  static ScreenColours colours;
  return colours;
}

// Font size of plots: 11 pixels at the usual size of the window font, and in proportion to it.
constexpr double kPlotPixels = 11, kUsualPoints = 9.75;

double plotPixels(const QFont& base) {
  return base.pointSizeF() > 0 ? std::round(kPlotPixels * base.pointSizeF() / kUsualPoints) : kPlotPixels;
}

}  // namespace

void setScreenColours(const QString& metrics, const QString& maps) {
  screenColours() = {metrics, maps};
}

PlotStyle PlotStyle::screen(Theme theme, const QFont& base) {
  PlotStyle style;
  style.metricColours = screenColours().metrics;
  style.mapColours = screenColours().maps;
  style.theme = theme;
  style.colours = plotColours(theme, false);
  style.label = style.tick = style.number = sized(base, plotPixels(base));
  style.lineWidth = 1.6;
  style.pointSize = 4.4;
  return style;
}

QString printSerif() {
  const QStringList installed = QFontDatabase::families();
  for (const char* family : {"TeX Gyre Termes", "Times New Roman", "Liberation Serif", "Nimbus Roman",
                             "Tinos", "STIX Two Text", "Noto Serif", "DejaVu Serif"}) {
    if (installed.contains(QLatin1String(family), Qt::CaseInsensitive)) return QLatin1String(family);
  }
  QFont serif;
  serif.setStyleHint(QFont::Serif);
  return QFontInfo(serif).family();
}

PlotStyle printStyle(const PrintOptions& options) {
  PlotStyle style;
  style.theme = options.theme;
  style.print = true;
  style.unit = kUnitsPerPoint;
  style.imageDpi = options.imageDpi;
  style.colours = plotColours(options.theme, true);
  // A font with the line end sign, which text fonts lack; the same on every computer that has it.
  QFont font;
  font.setFamilies(
      {options.family.isEmpty() ? printSerif() : options.family, QStringLiteral("Noto Sans Math")});
  font.setStyleStrategy(QFont::PreferOutline);
  font.setHintingPreference(QFont::PreferNoHinting);
  style.label = sized(font, style.u(options.labelPoints));
  style.tick = sized(font, style.u(options.tickPoints));
  style.number = sized(font, style.u(options.numberPoints));
  style.axisWidth = style.u(options.linePoints);
  style.gridWidth = style.u(0.7 * options.linePoints);
  style.lineWidth = style.u(1.6 * options.linePoints);
  style.thinWidth = style.u(0.6 * options.linePoints);
  style.pointSize = style.u(2.6);
  style.tickLength = style.u(2.5);
  style.gap = style.u(3);
  return style;
}

namespace {

// Inks that are a colour of the theme.
struct ThemeInk {
  Ink ink;
  QColor PlotColours::*screen;
  QColor PlotColours::*print;
};
constexpr ThemeInk kThemeInks[] = {{Ink::Text, &PlotColours::text, &PlotColours::text},
                                   {Ink::Muted, &PlotColours::muted, &PlotColours::muted},
                                   {Ink::Border, &PlotColours::border, &PlotColours::muted},
                                   {Ink::Grid, &PlotColours::grid, &PlotColours::grid},
                                   {Ink::Ground, &PlotColours::view, &PlotColours::view},
                                   {Ink::Outside, &PlotColours::window, &PlotColours::window},
                                   {Ink::Alternate, &PlotColours::alternate, &PlotColours::alternate},
                                   {Ink::Selection, &PlotColours::selection, &PlotColours::selection},
                                   {Ink::Casing, &PlotColours::casing, &PlotColours::casing},
                                   {Ink::OtherHeads, &PlotColours::otherHeads, &PlotColours::otherHeads},
                                   {Ink::Bars, &PlotColours::bars, &PlotColours::bars},
                                   {Ink::Query, &PlotColours::query, &PlotColours::query},
                                   {Ink::Key, &PlotColours::key, &PlotColours::key},
                                   {Ink::AxisLine, &PlotColours::muted, &PlotColours::text},
                                   {Ink::FewFill, &PlotColours::grid, &PlotColours::view}};

QColor inkColour(const Colour& colour, const PlotStyle& style) {
  const PlotColours& c = style.colours;
  const auto* known = std::ranges::find(kThemeInks, colour.ink, &ThemeInk::ink);
  if (known != std::end(kThemeInks)) return c.*(style.print ? known->print : known->screen);
  const bool dark = style.theme == Theme::Dark;
  switch (colour.ink) {
    case Ink::Fixed:
      return QColor(dark ? colour.dark : colour.light);
    case Ink::LateQuery:
      return c.queryRamp[3];
    case Ink::LateKey:
      return c.keyRamp[3];
    case Ink::Level:
      return style.print ? QColor("#8a9095") : c.muted;
    case Ink::FewHatch:
      return style.print ? QColor("#6b7176") : c.muted;
    case Ink::MissingHatch:
      return dark ? c.grid.lighter(150) : c.grid.darker(115);
    default:
      return {};
  }
}

}  // namespace

QColor mixedColour(const QColor& from, const QColor& to, double share) {
  const auto part = [share](int a, int b) { return static_cast<int>(std::lround(a + share * (b - a))); };
  return {part(from.red(), to.red()), part(from.green(), to.green()), part(from.blue(), to.blue())};
}

QColor colourOf(const Colour& colour, const PlotStyle& style) {
  QColor made = inkColour(colour, style);
  for (const Mix& mix : colour.mixes) made = mixedColour(made, inkColour(mix.with, style), mix.share);
  const bool paper = style.print && style.theme == Theme::Light && colour.printAlpha >= 0;
  const double alpha = paper ? colour.printAlpha : colour.alpha;
  if (alpha < 1) made.setAlphaF(static_cast<float>(alpha));
  return made;
}

double lengthOf(const Length& length, const PlotStyle& style) {
  return style.u(style.print ? length.print : length.screen);
}

QPen pen(const QColor& color, double width, Qt::PenStyle pattern) {
  QPen made(color, width, pattern);
  made.setJoinStyle(Qt::RoundJoin);
  made.setCapStyle(Qt::FlatCap);
  return made;
}

QPen penOf(const Stroke& stroke, const PlotStyle& style) {
  const double weight = stroke.weight == Weight::Line   ? style.lineWidth
                        : stroke.weight == Weight::Thin ? style.thinWidth
                                                        : style.axisWidth;
  QPen made = pen(colourOf(stroke.colour, style),
                  stroke.exact ? lengthOf(*stroke.exact, style) : stroke.width * weight);
  if (!stroke.dash.empty()) made.setDashPattern(QList<qreal>(stroke.dash.begin(), stroke.dash.end()));
  return made;
}

QPen casedPen(const PlotStyle& style, const QPen& inner) {
  return pen(style.colours.casing, inner.widthF() + 2 * lengthOf({0.5, 1}, style));
}

QColor rampColour(const std::array<QColor, 4>& ramp, double share) {
  const double place = std::clamp(share, 0.0, 1.0) * 3;
  const auto low = static_cast<std::size_t>(std::min(2.0, std::floor(place)));
  return mixedColour(ramp[low], ramp[low + 1], place - static_cast<double>(low));
}

// --- Colour maps ----------------------------------------------------------------------------------------

namespace {

ColourMap readMap(const QString& name) {
  QFile file(":/colour_maps/" + name + ".txt");
  std::array<QRgb, 256> colours{};
  std::size_t count = 0;
  if (file.open(QIODevice::ReadOnly)) {
    const QList<QByteArray> lines = file.readAll().split('\n');
    for (const QByteArray& line : lines) {
      if (line.size() == 6 && count < colours.size())
        colours[count++] = 0xff000000u | line.toUInt(nullptr, 16);
    }
  }
  if (count != colours.size()) throw Error(ErrorKind::Internal, "no colour map " + name.toStdString());
  return ColourMap(colours);
}

std::map<QString, ColourMap> readMaps() {
  initColourMaps();
  std::map<QString, ColourMap> maps;
  for (const QString& name : colourMapNames()) maps.emplace(name, readMap(name));
  return maps;
}

}  // namespace

QStringList colourMapNames() {
  return {"viridis", "cividis", "magma", "blue_white_red", "blues", "reds"};
}

const ColourMap& colourMap(const QString& name) {
  static const std::map<QString, ColourMap> maps = readMaps();
  const auto found = maps.find(name);
  if (found == maps.end()) throw Error(ErrorKind::Internal, "no colour map " + name.toStdString());
  return found->second;
}

namespace {

ColourMap turnedRound(const ColourMap& map) {
  std::array<QRgb, 256> colours = map.colours();
  std::ranges::reverse(colours);
  return ColourMap(colours);
}

}  // namespace

const ColourMap& kindColours(QueryOrKey kind, Theme theme) {
  static const ColourMap &blues = colourMap(QStringLiteral("blues")),
                         &reds = colourMap(QStringLiteral("reds"));
  static const ColourMap lightBlues = turnedRound(blues), lightReds = turnedRound(reds);
  if (theme == Theme::Dark) return kind == QueryOrKey::Query ? lightBlues : lightReds;
  return kind == QueryOrKey::Query ? blues : reds;
}

const ColourMap& colourMapOf(const std::string& name, const PlotStyle& style) {
  if (name == "queries") return kindColours(QueryOrKey::Query, style.theme);
  if (name == "keys") return kindColours(QueryOrKey::Key, style.theme);
  return colourMap(name == "metrics" ? style.metricColours
                   : name == "maps"  ? style.mapColours
                                     : QString::fromStdString(name));
}

}  // namespace plastiscope
