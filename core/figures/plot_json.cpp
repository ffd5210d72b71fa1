#include "core/figures/plot_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "core/base/parsed_number.h"
#include "core/figures/plot_palette.h"
#include "core/views/plane_data.h"
#include "core/views/row_colours.h"
#include "core/views/text_excerpt.h"

namespace plastiscope {

namespace {

constexpr double kLineWidth = 1.6, kPointSize = 4.4;  // pixels
constexpr std::size_t kRampSteps = 32;

// Each kind of member as JSON.
template <typename Plain>
Json jsonOf(const Plain& value) {
  if constexpr (std::is_floating_point_v<Plain>) return roundedNumber(value);
  return value;
}
Json jsonOf(const Colour& colour) {
  if (colour.ink == Ink::None) return nullptr;
  return cssColour(colour, false) + " " + cssColour(colour, true);
}
Json jsonOf(Ink ink) {
  return jsonOf(Colour(ink));
}
Json jsonOf(const std::pair<double, double>& span) {
  return Json::array({roundedNumber(span.first), roundedNumber(span.second)});
}
Json jsonOf(const Stroke& stroke);
Json jsonOf(const MarkerStyle& marker);
Json jsonOf(const ColourScale& scale);
Json jsonOf(const Axis& axis);
Json jsonOf(const LegendEntry& entry);
template <typename Item>
Json jsonOf(const std::optional<Item>& item) {
  return item ? jsonOf(*item) : Json();
}
template <typename List, typename Convert>
Json listOf(const List& list, const Convert& convert) {
  Json all = Json::array();
  for (const auto& each : list) all.push_back(convert(each));
  return all;
}
template <typename Item>
Json jsonOf(const std::vector<Item>& list) {
  return listOf(list, [](const Item& item) { return jsonOf(item); });
}

template <typename Value, typename... More>
void put(Json& object, const char* key, const Value& value, const More&... more) {
  Json json = jsonOf(value);
  bool left = json.is_null() || json == false || json == "";
  if constexpr (std::is_same_v<Value, Texts> || std::is_same_v<Value, std::vector<std::int64_t>>)
    left = value.empty();
  if (!left) object[key] = std::move(json);
  if constexpr (sizeof...(more) > 0) put(object, more...);
}
// An object of keys and values, without defaults.
template <typename... Members>
Json object(const Members&... members) {
  Json made = Json::object();
  put(made, members...);
  return made;
}

Json jsonOf(const Stroke& stroke) {
  const double width = stroke.width * (stroke.weight == Weight::Line ? kLineWidth : 1);
  Json json = object("colour", stroke.colour, "width", stroke.exact ? stroke.exact->screen : width, "cased",
                     stroke.cased ? Ink::Casing : Ink::None);
  if (!stroke.dash.empty()) json["dash"] = stroke.dash;
  return json;
}

Json jsonOf(const MarkerStyle& marker) {
  constexpr const char* kShapes[] = {"circle", "square", "diamond",     "triangle",
                                     "ring",   "dot",    "downTriangle"};
  const bool ring = marker.hollow || marker.shape == Marker::Ring;
  const Colour rim = ring ? marker.colour : marker.rim == Rim::None ? Colour() : Colour(Ink::Ground);
  return object("shape", kShapes[static_cast<std::size_t>(marker.shape)], "fill",
                ring ? Colour(Ink::Ground) : marker.colour, "rim", rim, "size", marker.size * kPointSize);
}

// Place in a ramp of positions: share 0 (early) .. 1 (late).
Colour rampColour(Ink kind, double share) {
  const auto shade = [&](bool dark) {
    const auto low = static_cast<std::size_t>(std::clamp(share * 3, 0.0, 2.0));
    const auto ramp = positionRamp(kind, dark);
    return mixedColour(ramp[low], ramp[low + 1], share * 3 - static_cast<double>(low));
  };
  return {shade(false), shade(true)};
}

// Rows of one kind with their colours: [steps] of a ramp or of classes.
Json rowsJson(const CloudMark& mark, QueryOrKey kind, std::int64_t most) {
  const PlaneRows& rows = mark.plane->rows(kind);
  const RowColouring* colouring = mark.colouring.get();
  const bool query = kind == QueryOrKey::Query, classes = colouring && !colouring->classes.empty();
  const std::size_t steps = classes     ? colouring->classes.size()
                            : colouring ? std::max(1, colouring->steps)
                                        : kRampSteps;
  std::vector<Colour> colours;
  for (std::size_t i = 0; i < steps; ++i)
    colours.push_back(classes ? colouring->classes[i].colour
                              : rampColour(query ? Ink::Query : Ink::Key,
                                           static_cast<double>(i) / std::max<double>(1, steps - 1.0)));
  const auto size = std::ssize(rows.x), last = std::ssize(colours) - 1;
  const std::int64_t count = std::min(size, most);
  const double window = std::max(1.0, static_cast<double>(mark.plane->window));
  Values x, y;
  std::vector<std::int64_t> position, step;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::size_t>(i * size / count);
    if (!std::isfinite(rows.x[row]) || !std::isfinite(rows.y[row])) continue;
    x.push_back(rows.x[row]);
    y.push_back(rows.y[row]);
    position.push_back(rows.position[row]);
    const std::int64_t at =
        colouring ? colouring->of(kind)[row] : std::lround(rows.position[row] / window * kRampSteps);
    step.push_back(std::clamp<std::int64_t>(at, 0, last));
  }
  return object("name", query ? "query" : "key", "x", x, "y", y, "position", Json(position), "step",
                Json(step), "colours", colours, "ring", classes && !query);
}

struct KindJson {
  const PlotJsonOptions& options;

  Json operator()(const PointMarks& m) const {
    return object("kind", "points", "x", m.x, "y", m.y, "style", m.style, "slots", m.slots, "shade", m.shade,
                  "colours", m.colours, "low", m.low, "high", m.high);
  }
  Json operator()(const LineMark& m) const {
    return object("kind", "line", "x", m.x, "y", m.y, "stroke", m.stroke, "marker", m.marker, "apart",
                  m.apart.screen, "noTips", m.noTips);
  }
  Json operator()(const BandMark& m) const {
    return object("kind", "band", "x", m.x, "low", m.low, "high", m.high, "fill", m.fill, "sideways",
                  m.sideways);
  }
  Json operator()(const BarMarks& m) const {
    return object("kind", "bars", "left", m.left, "right", m.right, "bottom", m.bottom, "top", m.top, "fills",
                  m.fills, "lying", m.lying, "rim", m.rim, "numbers", m.numbers, "inside",
                  m.place == BarMarks::Numbers::Inside, "reach", m.reach);
  }
  Json operator()(const ErrorBarMarks& m) const {
    return object("kind", "errorBars", "x", m.x, "low", m.low, "high", m.high, "strokes", m.strokes, "cap",
                  m.cap.screen);
  }
  Json operator()(const SegmentMarks& m) const {
    return object("kind", "segments", "x0", m.x0, "y0", m.y0, "x1", m.x1, "y1", m.y1, "strokes", m.strokes);
  }
  Json operator()(const RuleMarks& m) const {
    return object("kind", "rules", "vertical", m.vertical, "at", m.at, "stroke", m.stroke);
  }
  Json operator()(const MissingMarks& m) const {
    return object("kind", "missing", "spans", m.spans, "fill", Ink::Alternate, "hatch", Ink::MissingHatch);
  }
  Json operator()(const CellMarks& m) const {
    std::string state;
    for (const CellState one : m.state) state += static_cast<char>('0' + static_cast<int>(one));
    return object("kind", "cells", "columns", m.columns, "rows", m.rows, "value", m.value, "state", state,
                  "colours", m.colours, "low", m.low, "high", m.high, "gap",
                  m.between != CellMarks::Between::Joined, "few", std::vector{Ink::FewFill, Ink::FewHatch},
                  "unknown", std::vector{Ink::Alternate, Ink::MissingHatch}, "outside", Ink::Outside, "texts",
                  m.texts);
  }
  Json operator()(const CloudMark& m) const {
    return object("kind", "cloud", "sets",
                  std::vector{rowsJson(m, QueryOrKey::Key, options.rows),
                              rowsJson(m, QueryOrKey::Query, options.rows)});
  }
  Json operator()(const LinesMark& m) const {
    return object("kind", "lines", "x", *m.x, "stroke", m.stroke, "from", options.lines, "y",
                  options.lines.empty() ? jsonOf(*m.y) : Json());
  }
  Json operator()(const ArrowMark& m) const {
    return object("kind", "arrow", "arrow", m.arrow, "from", std::pair(m.x0, m.y0), "to",
                  std::pair(m.x1, m.y1), "centre", std::pair(m.centreX, m.centreY), "colour", m.colour,
                  "casing", Ink::Casing);
  }
  Json operator()(const TextMarks& m) const {
    return object("kind", "texts", "x", m.x, "y", m.y, "texts", m.texts, "colour", m.colour, "room", m.room,
                  "ends", m.ends);
  }
  Json operator()(const LabelMarks& m) const {
    return object("kind", "labels", "x", m.x, "y", m.y, "texts", m.texts, "note", m.note);
  }
  Json operator()(const ExcerptMark& m) const {
    const TextExcerpt& e = *m.excerpt;
    const auto flagsOf = [](const auto& flags) { return Json(std::vector<int>(flags.begin(), flags.end())); };
    std::vector<std::int64_t> ends;
    for (std::size_t i = 0; i < e.text.size(); ++i)
      if (e.text.endsParagraph[i]) ends.push_back(static_cast<std::int64_t>(i));
    return object("kind", "excerpt", "colours", m.colours, "first", e.first, "tokens", e.text.tokens, "value",
                  e.colour.value, "low", e.colour.range.first, "high", e.colour.range.second, "ends", ends,
                  "captured", flagsOf(e.colour.captured), "other", flagsOf(e.colour.other), "otherColour",
                  e.coloured == QueryOrKey::Query ? Ink::Key : Ink::Query, "rank", e.rank, "labelled",
                  Json(e.text.labelled), "query", e.query ? Json(*e.query - e.first) : Json());
  }
};

Json markJson(const Mark& mark, const PlotJsonOptions& options) {
  Json json = std::visit(KindJson{options}, mark.kind);
  const bool page = std::holds_alternative<ExcerptMark>(mark.kind);  // the page makes its tool tips
  put(json, "title", mark.title, "names", mark.names, "ids", mark.ids, "tips", page ? Texts() : mark.tips,
      "layer", static_cast<int>(mark.layer), "unclipped", !mark.clip);
  return json;
}

Json jsonOf(const Axis& axis) {
  constexpr const char* kTicks[] = {"numbers", "percent", "whole", "tokens", "names", "allNames"};
  return object("title", axis.title, "low", axis.low, "high", axis.high, "ticks",
                kTicks[static_cast<std::size_t>(axis.ticks)], "unit", Json(axis.unit), "reversed",
                axis.reversed, "grid", axis.grid, "noLabels", !axis.labels, "opposite", axis.opposite,
                "names", axis.names, "places", axis.places, "slant", axis.slant);
}

Json jsonOf(const ColourScale& scale) {
  return object("colours", scale.colours, "low", scale.low, "high", scale.high, "title", scale.title, "unit",
                Json(scale.unit));
}

Json boxJson(const Box& box, const PlotJsonOptions& options) {
  constexpr const char* kFrames[] = {"box", "open", "none"};
  Json json = object("x", box.x, "y", box.y, "frame", kFrames[static_cast<std::size_t>(box.frame)], "height",
                     box.height, "outside", box.outside ? Ink::Outside : Ink::None, "scale", box.scale,
                     "width", box.width.screen, "beside",
                     listOf(box.beside, [&](const Box& narrow) { return boxJson(narrow, options); }), "marks",
                     listOf(box.marks, [&](const Mark& mark) { return markJson(mark, options); }));
  for (std::size_t i = 0; i < box.marks.size(); ++i) {  // marks of one series share their tool tips
    const auto first = std::ranges::find(box.marks, box.marks[i].tips, &Mark::tips) - box.marks.begin();
    if (box.marks[i].tips.empty() || static_cast<std::size_t>(first) == i) continue;
    json["marks"][i].erase("tips");
    json["marks"][i]["tipsOf"] = first;
  }
  return json;
}

Json jsonOf(const LegendEntry& entry) {
  const LegendSymbol& symbol = entry.symbol;
  Json json =
      object("text", entry.text + entry.detail, "width", symbol.width, "box", symbol.box, "rim", symbol.rim,
             "hatch", symbol.hatch, "line", symbol.line, "bar", symbol.bar, "marker", symbol.marker);
  for (std::size_t i = 0; symbol.ramp != Ink::None && i < 4; ++i)
    json["ramp"].push_back(
        jsonOf(Colour(positionRamp(symbol.ramp, false)[i], positionRamp(symbol.ramp, true)[i])));
  return json;
}

}  // namespace

Json roundedNumber(double value) {
  if (!std::isfinite(value)) return nullptr;
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 4).ptr;
  double rounded = 0;
  fromChars(text, end, rounded);
  if (rounded == std::round(rounded) && std::abs(rounded) < 1e15) return static_cast<std::int64_t>(rounded);
  return rounded;
}

Json plotJson(const Plot& plot, const PlotJsonOptions& options) {
  return object("legend", plot.legend, "boxes",
                listOf(plot.boxes, [&](const Box& box) { return boxJson(box, options); }), "panels",
                listOf(plot.panels, [&](const Plot& panel) { return plotJson(panel, options); }), "columns",
                plot.columns, "scale", plot.scale);
}

}  // namespace plastiscope
