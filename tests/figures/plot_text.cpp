#include "figures/plot_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "core/views/row_colours.h"
#include "core/views/text_excerpt.h"

namespace plastiscope::test {

namespace {

constexpr std::size_t kLongRow = 12;

std::string shortNumber(double value) {
  if (std::isnan(value)) return "-";
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value == 0 ? 0 : value,
                                 std::chars_format::general, 9)
                       .ptr;
  return {buffer.data(), end};
}

std::string hex(std::uint64_t value) {
  std::array<char, 20> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%016llx", static_cast<unsigned long long>(value));
  return buffer.data();
}

template <typename Row, typename TextOf>
std::string rowText(const Row& row, const TextOf& textOf) {
  std::string text;
  std::uint64_t sum = 14695981039346656037ULL;  // FNV-1a of the whole row
  std::size_t at = 0;
  for (const auto& value : row) {
    const std::string one = textOf(value);
    for (const char c : one + ' ') sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    if (row.size() <= kLongRow || at < 3 || at + 3 >= row.size()) text += (text.empty() ? "" : " ") + one;
    if (row.size() > kLongRow && at == 3) text += " ...";
    ++at;
  }
  return row.size() <= kLongRow ? text : text + " (" + std::to_string(row.size()) + ", " + hex(sum) + ")";
}

std::string rowText(const Values& row) {
  return rowText(row, shortNumber);
}

std::string rowText(const Texts& row) {
  return rowText(row, [](const std::string& text) { return "\"" + text + "\""; });
}

constexpr const char* kInks[] = {"none",   "fixed",    "text",      "muted",        "border",   "grid",
                                 "ground", "outside",  "alternate", "selection",    "casing",   "other-heads",
                                 "bars",   "query",    "key",       "late-query",   "late-key", "axis-line",
                                 "level",  "few-fill", "few-hatch", "missing-hatch"};
constexpr const char* kMarkers[] = {"circle", "square", "diamond",      "triangle",
                                    "ring",   "dot",    "down-triangle"};
constexpr const char* kTicks[] = {"numbers", "percent", "whole", "tokens", "names", "all-names"};

std::string inkText(Ink ink) {
  return kInks[static_cast<std::size_t>(ink)];
}

std::string colourText(const Colour& colour) {
  std::string text = inkText(colour.ink);
  if (colour.ink == Ink::Fixed) text = "#" + hex(colour.light).substr(10) + "/" + hex(colour.dark).substr(10);
  for (const Mix& mix : colour.mixes) text += "+" + inkText(mix.with) + ":" + shortNumber(mix.share);
  if (colour.alpha != 1) text += "@" + shortNumber(colour.alpha);
  if (colour.printAlpha >= 0) text += "/" + shortNumber(colour.printAlpha);
  return text;
}

std::string lengthText(const Length& length) {
  return shortNumber(length.print) + "/" + shortNumber(length.screen);
}

std::string strokeText(const Stroke& stroke) {
  static constexpr const char* kWeights[] = {"line", "thin", "axis"};
  std::string text = colourText(stroke.colour) + " ";
  text += stroke.exact ? lengthText(*stroke.exact)
                       : shortNumber(stroke.width) + kWeights[static_cast<std::size_t>(stroke.weight)];
  if (!stroke.dash.empty()) text += " dash " + rowText(stroke.dash);
  return text + (stroke.cased ? " cased" : "");
}

std::string markerText(const MarkerStyle& marker) {
  static constexpr const char* kRims[] = {"", " rim-ground", " rim-own"};
  return std::string(kMarkers[static_cast<std::size_t>(marker.shape)]) + " " + colourText(marker.colour) +
         " " + shortNumber(marker.size) + (marker.hollow ? " hollow" : "") +
         kRims[static_cast<std::size_t>(marker.rim)];
}

class PlotWriter {
 public:
  std::string text;

  void write(const Plot& plot, int depth) {
    m_start = std::string(static_cast<std::size_t>(2 * depth), ' ');
    line("plot", plot.oneLine ? "one-line" : plot.aligned ? "aligned" : "");
    for (const LegendEntry& entry : plot.legend) write(entry);
    for (const Box& box : plot.boxes) write(box);
    if (!plot.panels.empty())
      line("panels", std::to_string(plot.panels.size()) + " in " + std::to_string(plot.columns));
    if (plot.scale) write(*plot.scale);
    for (const Plot& panel : plot.panels) write(panel, depth + 1);
  }

  void operator()(const PointMarks& m) {
    line("  points", markerText(m.style) + (m.slots > 0 ? " slots " + shortNumber(m.slots) : ""));
    rows({{"x", &m.x}, {"y", &m.y}});
    if (m.shade.empty()) return;
    line("    shades", m.colours + " " + shortNumber(m.low) + " " + shortNumber(m.high));
    rows({{"shade", &m.shade}});
  }
  void operator()(const LineMark& m) {
    line("  line", strokeText(m.stroke) +
                       (m.marker ? " with " + markerText(*m.marker) + " apart " + lengthText(m.apart) : "") +
                       (m.noTips ? " no-tips" : ""));
    rows({{"x", &m.x}, {"y", &m.y}});
  }
  void operator()(const BandMark& m) {
    line("  band", colourText(m.fill) + (m.sideways ? " sideways" : ""));
    rows({{"x", &m.x}, {"low", &m.low}, {"high", &m.high}});
  }
  void operator()(const BarMarks& m) {
    static constexpr const char* kPlaces[] = {"above", "above-all-or-none", "inside"};
    std::string value = rowText(m.fills, colourText) + (m.lying ? " lying" : "");
    if (m.rim) value += " rim " + strokeText(*m.rim);
    if (!m.feet.empty())
      value += " feet " + rowText(m.feet, [](Marker foot) {
                 return std::string(kMarkers[static_cast<std::size_t>(foot)]);
               });
    line("  bars", value);
    rows({{"left", &m.left},
          {"right", &m.right},
          {"bottom", &m.bottom},
          {"top", &m.top},
          {"reach", &m.reach}});
    for (const Values& level : m.levels) rows({{"level", &level}});
    if (!m.numbers.empty())
      line("    numbers", std::string(kPlaces[static_cast<std::size_t>(m.place)]) + " " + rowText(m.numbers));
  }
  void operator()(const ErrorBarMarks& m) {
    line("  error-bars", rowText(m.strokes, strokeText) + " cap " + lengthText(m.cap));
    rows({{"x", &m.x}, {"low", &m.low}, {"high", &m.high}});
  }
  void operator()(const SegmentMarks& m) {
    line("  segments", rowText(m.strokes, strokeText));
    rows({{"x0", &m.x0}, {"y0", &m.y0}, {"x1", &m.x1}, {"y1", &m.y1}});
  }
  void operator()(const RuleMarks& m) {
    line(m.vertical ? "  rules vertical" : "  rules", strokeText(m.stroke));
    rows({{"at", &m.at}});
  }
  void operator()(const MissingMarks& m) { line("  missing", spans(m.spans)); }
  void operator()(const CellMarks& m) {
    static constexpr const char* kBetween[] = {"joined", "gap", "line"};
    line("  cells", m.colours + " " + shortNumber(m.low) + " " + shortNumber(m.high) + " " +
                        kBetween[static_cast<std::size_t>(m.between)]);
    line("    columns", spans(m.columns));
    line("    rows", spans(m.rows));
    rows({{"value", &m.value}});
    line("    state",
         rowText(m.state, [](CellState state) { return std::to_string(static_cast<int>(state)); }));
    if (!m.texts.empty()) line("    texts", rowText(m.texts));
  }
  void operator()(const CloudMark& m) {
    line("  cloud", "window " + std::to_string(m.plane->window));
    for (const QueryOrKey kind : {QueryOrKey::Query, QueryOrKey::Key}) {
      const PlaneRows& of = m.plane->rows(kind);
      // Colour steps of the rows.
      const auto& steps = m.colouring ? m.colouring->of(kind) : of.position;
      const Values x(of.x.begin(), of.x.end()), y(of.y.begin(), of.y.end()), step(steps.begin(), steps.end());
      rows({{"x", &x}, {"y", &y}, {m.colouring ? "step" : "position", &step}});
    }
  }
  void operator()(const ExcerptMark& m) {
    const TokenColouring& colour = m.excerpt->colour;
    line("  excerpt",
         m.colours + " " + shortNumber(colour.range.first) + " " + shortNumber(colour.range.second));
    line("    tokens", rowText(m.excerpt->text.tokens));
    const Values value(colour.value.begin(), colour.value.end()),
        rank(m.excerpt->rank.begin(), m.excerpt->rank.end());
    rows({{"value", &value}, {"rank", &rank}});
    const auto yes = [](bool is) { return std::string(is ? "1" : "0"); };
    line("    captured", rowText(colour.captured, yes));
    line("    other", rowText(colour.other, yes));
  }
  void operator()(const LinesMark& m) {
    line("  lines", strokeText(m.stroke));
    rows({{"x", m.x}, {"y", m.y}});
  }
  void operator()(const ArrowMark& m) {
    line("  arrow", colourText(m.colour) + (m.arrow ? " " : " no-shaft ") +
                        rowText(Values{m.x0, m.y0, m.x1, m.y1, m.centreX, m.centreY}));
  }
  void operator()(const TextMarks& m) {
    line("  texts", colourText(m.colour) + " " + rowText(m.texts));
    rows({{"x", &m.x}, {"y", &m.y}});
    if (!m.room.empty()) rows({{"room", &m.room}});
  }
  void operator()(const LabelMarks& m) {
    line("  labels", rowText(m.texts) + " radius " + shortNumber(m.radius));
    rows({{"x", &m.x}, {"y", &m.y}});
    if (!m.note.empty()) line("    note", rowText(m.note));
    if (m.line)
      line("    line", rowText(Values{m.line->first.first, m.line->first.second, m.line->second.first,
                                      m.line->second.second}));
  }

 private:
  void line(const std::string& name, const std::string& value) {
    text += m_start + name + (value.empty() ? "" : " ") + value + "\n";
  }
  void rows(std::initializer_list<std::pair<const char*, const Values*>> named) {
    for (const auto& [name, row] : named) {
      if (!row->empty()) line(std::string("    ") + name, rowText(*row));
    }
  }
  static std::string spans(const std::vector<std::pair<double, double>>& all) {
    return rowText(
        all, [](const auto& span) { return shortNumber(span.first) + ".." + shortNumber(span.second); });
  }

  void write(const Axis& axis, const char* name) {
    std::string value = shortNumber(axis.low) + " " + shortNumber(axis.high) + " " +
                        kTicks[static_cast<std::size_t>(axis.ticks)];
    if (!axis.title.empty()) value += " \"" + axis.title + "\"";
    if (axis.unit != 1) value += " unit " + shortNumber(axis.unit);
    for (const auto& [is, word] : {std::pair{axis.reversed, " reversed"},
                                   {axis.grid, " grid"},
                                   {!axis.labels, " no-labels"},
                                   {!axis.tickMarks, " no-ticks"},
                                   {axis.opposite, " opposite"}})
      if (is) value += word;
    if (axis.slant != 0) value += " slant " + shortNumber(axis.slant);
    if (!axis.lastLabel.empty()) value += " last \"" + axis.lastLabel + "\"";
    line(name, value);
    if (!axis.names.empty()) line("    names", rowText(axis.names));
    rows({{"places", &axis.places}});
  }

  void write(const ColourScale& scale) {
    line("scale", scale.colours + " " + shortNumber(scale.low) + " " + shortNumber(scale.high) + " \"" +
                      scale.title + "\" unit " + shortNumber(scale.unit));
  }

  void write(const LegendEntry& entry) {
    const LegendSymbol& s = entry.symbol;
    std::string value = "\"" + entry.text + "\"";
    if (!entry.detail.empty()) value += " \"" + entry.detail + "\"";
    if (s.width > 0) value += " width " + shortNumber(s.width);
    if (s.box) value += " box " + colourText(*s.box);
    if (s.rim) value += " rim " + strokeText(*s.rim);
    if (s.hatch != Ink::None) value += " hatch " + inkText(s.hatch);
    if (s.ramp != Ink::None) value += " ramp " + inkText(s.ramp);
    if (s.line) value += " line " + strokeText(*s.line);
    if (s.bar) value += " bar " + strokeText(*s.bar) + " cap " + lengthText(s.cap);
    if (s.marker) value += " marker " + markerText(*s.marker);
    if (s.ringed) value += " ringed";
    if (entry.beginsLine) value += " begins-line";
    line("legend", value);
  }

  void write(const Box& box) {
    static constexpr const char* kFrameWords[] = {"", " open", " unframed"};
    line("box", "height " + shortNumber(box.height) + kFrameWords[static_cast<std::size_t>(box.frame)] +
                    (box.outside ? " outside" : ""));
    write(box.x, "  x");
    write(box.y, "  y");
    if (box.scale) write(*box.scale);
    for (const Mark& mark : box.marks) {
      static constexpr const char* kLayers[] = {" below", "", " above"};
      std::visit(*this, mark.kind);
      std::string about = kLayers[static_cast<std::size_t>(mark.layer)];
      if (!mark.clip) about += " unclipped";
      if (!mark.title.empty()) about += " title \"" + mark.title + "\"";
      if (!mark.names.empty()) about += " names " + rowText(mark.names);
      if (!mark.tips.empty()) about += " tips " + rowText(mark.tips);
      if (!about.empty()) line("   ", about.substr(1));
    }
    for (const Box& beside : box.beside) {
      line("beside", "width " + lengthText(beside.width));
      write(beside);
    }
  }

  std::string m_start;
};

}  // namespace

std::string plotText(const Plot& plot) {
  PlotWriter writer;
  writer.write(plot, 0);
  return std::move(writer.text);
}

}  // namespace plastiscope::test
