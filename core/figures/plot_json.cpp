#include "core/figures/plot_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/figures/plot_palette.h"
#include "core/views/plane_data.h"
#include "core/views/row_colours.h"
#include "core/views/text_excerpt.h"

namespace plastiscope {

namespace {

constexpr double kLineWidth = 1.6, kPointSize = 4.4;  // pixels
constexpr std::size_t kRampSteps = 32;

Json colourJson(const Colour& colour) {
  if (colour.ink == Ink::None) return nullptr;
  return cssColour(colour, false) + " " + cssColour(colour, true);
}

template <typename List, typename Convert>
Json listOf(const List& list, const Convert& convert) {
  Json all = Json::array();
  for (const auto& each : list) all.push_back(convert(each));
  return all;
}

Json strokeJson(const Stroke& stroke) {
  Json json = {{"colour", colourJson(stroke.colour)},
               {"width", roundedNumber(stroke.exact ? stroke.exact->screen
                                                    : stroke.width *
                                                          (stroke.weight == Weight::Line ? kLineWidth : 1))}};
  if (!stroke.dash.empty()) json["dash"] = stroke.dash;
  if (stroke.cased) json["cased"] = colourJson(Ink::Casing);
  return json;
}

Json markerJson(const MarkerStyle& marker) {
  constexpr const char* kShapes[] = {"circle", "square", "diamond",     "triangle",
                                     "ring",   "dot",    "downTriangle"};
  const bool ring = marker.hollow || marker.shape == Marker::Ring;
  const Colour rim = marker.rim == Rim::None ? Colour() : ring ? marker.colour : Colour(Ink::Ground);
  return {{"shape", kShapes[static_cast<std::size_t>(marker.shape)]},
          {"fill", colourJson(ring ? Colour(Ink::Ground) : marker.colour)},
          {"rim", colourJson(ring ? marker.colour : rim)},
          {"size", roundedNumber(marker.size * kPointSize)}};
}

Json spansJson(const std::vector<std::pair<double, double>>& spans) {
  return listOf(spans, [](const auto& span) { return roundedNumbers(std::array{span.first, span.second}); });
}

std::string digitsOf(const std::vector<bool>& flags) {
  std::string digits;
  for (const bool flag : flags) digits += flag ? '1' : '0';
  return digits;
}

// Rows of one kind with their colours: [steps] of a ramp or of classes.
Json rowsJson(const CloudMark& mark, QueryOrKey kind, std::int64_t most) {
  const PlaneRows& rows = mark.plane->rows(kind);
  const RowColouring* colouring = mark.colouring.get();
  const bool query = kind == QueryOrKey::Query;
  const bool classes = colouring != nullptr && !colouring->classes.empty();
  const std::size_t steps = classes     ? colouring->classes.size()
                            : colouring ? static_cast<std::size_t>(std::max(1, colouring->steps))
                                        : kRampSteps;
  Json colours = Json::array(), x = Json::array(), y = Json::array(), position = Json::array(),
       step = Json::array();
  for (std::size_t i = 0; i < steps; ++i) {
    const double share = static_cast<double>(i) / std::max(1.0, static_cast<double>(steps) - 1);
    const auto shade = [&](bool dark) {
      const PlotPalette& palette = plotPalette(dark);
      return rampColour(query ? palette.queryRamp : palette.keyRamp, share);
    };
    colours.push_back(colourJson(classes ? colouring->classes[i].colour : Colour(shade(false), shade(true))));
  }
  const auto size = std::ssize(rows.x);
  const std::int64_t count = std::min(size, most);
  const double window = std::max(1.0, static_cast<double>(mark.plane->window));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::size_t>(i * size / count);
    if (!std::isfinite(rows.x[row]) || !std::isfinite(rows.y[row])) continue;
    x.push_back(roundedNumber(rows.x[row]));
    y.push_back(roundedNumber(rows.y[row]));
    position.push_back(rows.position[row]);
    step.push_back(colouring
                       ? std::clamp<std::int64_t>(colouring->of(kind)[row], 0, std::ssize(colours) - 1)
                       : std::clamp<std::int64_t>(std::lround(rows.position[row] / window * (kRampSteps - 1)),
                                                  0, kRampSteps - 1));
  }
  return {{"name", query ? "query" : "key"}, {"x", std::move(x)},       {"y", std::move(y)},
          {"position", std::move(position)}, {"step", std::move(step)}, {"colours", std::move(colours)},
          {"ring", classes && !query}};
}

struct KindJson {
  const PlotJsonOptions& options;

  Json operator()(const PointMarks& m) const {
    Json json = {{"kind", "points"},
                 {"x", roundedNumbers(m.x)},
                 {"y", roundedNumbers(m.y)},
                 {"style", markerJson(m.style)},
                 {"slots", m.slots}};
    if (!m.shade.empty())
      json.update(Json{{"shade", roundedNumbers(m.shade)},
                       {"colours", m.colours},
                       {"low", roundedNumber(m.low)},
                       {"high", roundedNumber(m.high)}});
    return json;
  }
  Json operator()(const LineMark& m) const {
    Json json = {{"kind", "line"},
                 {"x", roundedNumbers(m.x)},
                 {"y", roundedNumbers(m.y)},
                 {"stroke", strokeJson(m.stroke)},
                 {"apart", m.apart.screen}};
    if (m.marker) json["marker"] = markerJson(*m.marker);
    if (m.noTips) json["noTips"] = true;
    return json;
  }
  Json operator()(const BandMark& m) const {
    return {{"kind", "band"},
            {"x", roundedNumbers(m.x)},
            {"low", roundedNumbers(m.low)},
            {"high", roundedNumbers(m.high)},
            {"fill", colourJson(m.fill)},
            {"sideways", m.sideways}};
  }
  Json operator()(const BarMarks& m) const {
    Json json = {{"kind", "bars"},
                 {"left", roundedNumbers(m.left)},
                 {"right", roundedNumbers(m.right)},
                 {"bottom", roundedNumbers(m.bottom)},
                 {"top", roundedNumbers(m.top)},
                 {"fills", listOf(m.fills, colourJson)},
                 {"lying", m.lying}};
    if (m.rim) json["rim"] = strokeJson(*m.rim);
    if (!m.numbers.empty())
      json.update(Json{{"numbers", m.numbers},
                       {"inside", m.place == BarMarks::Numbers::Inside},
                       {"reach", roundedNumbers(m.reach)}});
    return json;
  }
  Json operator()(const ErrorBarMarks& m) const {
    return {{"kind", "errorBars"},
            {"x", roundedNumbers(m.x)},
            {"low", roundedNumbers(m.low)},
            {"high", roundedNumbers(m.high)},
            {"strokes", listOf(m.strokes, strokeJson)},
            {"cap", m.cap.screen}};
  }
  Json operator()(const SegmentMarks& m) const {
    return {{"kind", "segments"},         {"x0", roundedNumbers(m.x0)},
            {"y0", roundedNumbers(m.y0)}, {"x1", roundedNumbers(m.x1)},
            {"y1", roundedNumbers(m.y1)}, {"strokes", listOf(m.strokes, strokeJson)}};
  }
  Json operator()(const RuleMarks& m) const {
    return {{"kind", "rules"},
            {"vertical", m.vertical},
            {"at", roundedNumbers(m.at)},
            {"stroke", strokeJson(m.stroke)}};
  }
  Json operator()(const MissingMarks& m) const {
    return {{"kind", "missing"},
            {"spans", spansJson(m.spans)},
            {"fill", colourJson(Ink::Alternate)},
            {"hatch", colourJson(Ink::MissingHatch)}};
  }
  Json operator()(const CellMarks& m) const {
    std::string state;
    for (const CellState one : m.state) state += static_cast<char>('0' + static_cast<int>(one));
    Json json = {{"kind", "cells"},
                 {"columns", spansJson(m.columns)},
                 {"rows", spansJson(m.rows)},
                 {"value", roundedNumbers(m.value)},
                 {"state", state},
                 {"colours", m.colours},
                 {"low", roundedNumber(m.low)},
                 {"high", roundedNumber(m.high)},
                 {"gap", m.between == CellMarks::Between::Joined ? 0 : 1},
                 {"few", {colourJson(Ink::FewFill), colourJson(Ink::FewHatch)}},
                 {"unknown", {colourJson(Ink::Alternate), colourJson(Ink::MissingHatch)}},
                 {"outside", colourJson(Ink::Outside)}};
    if (!m.texts.empty()) json["texts"] = m.texts;
    return json;
  }
  Json operator()(const CloudMark& m) const {
    return {
        {"kind", "cloud"},
        {"sets", {rowsJson(m, QueryOrKey::Key, options.rows), rowsJson(m, QueryOrKey::Query, options.rows)}}};
  }
  Json operator()(const LinesMark& m) const {
    Json json = {{"kind", "lines"}, {"x", roundedNumbers(*m.x)}, {"stroke", strokeJson(m.stroke)}};
    if (options.lines.empty())
      json["y"] = roundedNumbers(*m.y);
    else
      json["from"] = options.lines;
    return json;
  }
  Json operator()(const ArrowMark& m) const {
    return {{"kind", "arrow"},
            {"arrow", m.arrow},
            {"from", roundedNumbers(std::array{m.x0, m.y0})},
            {"to", roundedNumbers(std::array{m.x1, m.y1})},
            {"centre", roundedNumbers(std::array{m.centreX, m.centreY})},
            {"colour", colourJson(m.colour)},
            {"casing", colourJson(Ink::Casing)}};
  }
  Json operator()(const TextMarks& m) const {
    return {{"kind", "texts"},
            {"x", roundedNumbers(m.x)},
            {"y", roundedNumbers(m.y)},
            {"texts", m.texts},
            {"colour", colourJson(m.colour)},
            {"room", roundedNumbers(m.room)},
            {"ends", listOf(m.ends, colourJson)}};
  }
  Json operator()(const LabelMarks& m) const {
    return {{"kind", "labels"},
            {"x", roundedNumbers(m.x)},
            {"y", roundedNumbers(m.y)},
            {"texts", m.texts},
            {"note", m.note}};
  }
  Json operator()(const ExcerptMark& m) const {
    const TextExcerpt& e = *m.excerpt;
    Json share = Json::array(), ends = Json::array();
    for (std::size_t i = 0; i < e.text.size(); ++i) {
      share.push_back(std::isfinite(e.colour.value[i]) ? roundedNumber(e.colour.share(i)) : Json());
      if (e.text.endsParagraph[i]) ends.push_back(i);
    }
    Json json = {{"kind", "excerpt"},
                 {"colours", m.colours},
                 {"first", e.first},
                 {"tokens", e.text.tokens},
                 {"share", std::move(share)},
                 {"ends", std::move(ends)},
                 {"captured", digitsOf(e.colour.captured)},
                 {"other", digitsOf(e.colour.other)},
                 {"otherColour", colourJson(e.coloured == QueryOrKey::Query ? Ink::Key : Ink::Query)},
                 {"rank", e.rank},
                 {"labelled", e.text.labelled}};
    if (e.query) json["query"] = *e.query - e.first;
    return json;
  }
};

Json markJson(const Mark& mark, const PlotJsonOptions& options) {
  Json json = std::visit(KindJson{options}, mark.kind);
  if (!mark.title.empty()) json["title"] = mark.title;
  if (!mark.names.empty()) json["names"] = mark.names;
  if (!mark.ids.empty()) json["ids"] = mark.ids;
  if (!mark.tips.empty() && (options.tokenTips || !std::holds_alternative<ExcerptMark>(mark.kind)))
    json["tips"] = mark.tips;
  json["layer"] = static_cast<int>(mark.layer);
  if (!mark.clip) json["clip"] = false;
  return json;
}

Json axisJson(const Axis& axis) {
  constexpr const char* kTicks[] = {"numbers", "percent", "whole", "tokens", "names", "allNames"};
  Json json = {{"title", axis.title},
               {"low", roundedNumber(axis.low)},
               {"high", roundedNumber(axis.high)},
               {"ticks", kTicks[static_cast<std::size_t>(axis.ticks)]},
               {"unit", axis.unit}};
  for (const auto& [key, set] : {std::pair{"reversed", axis.reversed},
                                 {"grid", axis.grid},
                                 {"noLabels", !axis.labels},
                                 {"opposite", axis.opposite}})
    if (set) json[key] = true;
  if (!axis.names.empty()) json.update(Json{{"names", axis.names}, {"places", roundedNumbers(axis.places)}});
  if (axis.slant != 0) json["slant"] = axis.slant;
  if (!axis.farNames.empty())
    json.update(Json{{"farNames", axis.farNames}, {"farPlaces", roundedNumbers(axis.farPlaces)}});
  return json;
}

Json scaleJson(const std::optional<ColourScale>& scale) {
  if (!scale) return nullptr;
  return {{"colours", scale->colours},
          {"low", roundedNumber(scale->low)},
          {"high", roundedNumber(scale->high)},
          {"title", scale->title},
          {"unit", scale->unit}};
}

Json boxJson(const Box& box, const PlotJsonOptions& options) {
  constexpr const char* kFrames[] = {"box", "open", "none"};
  Json json = {{"x", axisJson(box.x)},
               {"y", axisJson(box.y)},
               {"frame", kFrames[static_cast<std::size_t>(box.frame)]},
               {"height", box.height},
               {"marks", listOf(box.marks, [&](const Mark& mark) { return markJson(mark, options); })}};
  for (std::size_t i = 0; i < box.marks.size(); ++i) {  // marks of one series share their tool tips
    const auto first = std::ranges::find(box.marks, box.marks[i].tips, &Mark::tips) - box.marks.begin();
    if (box.marks[i].tips.empty() || static_cast<std::size_t>(first) == i) continue;
    json["marks"][i].erase("tips");
    json["marks"][i]["tipsOf"] = first;
  }
  if (box.outside) json["outside"] = colourJson(Ink::Outside);
  if (box.scale) json["scale"] = scaleJson(box.scale);
  if (!box.beside.empty()) {
    json["beside"] = listOf(box.beside, [&](const Box& narrow) { return boxJson(narrow, options); });
  }
  if (box.width.screen > 0) json["width"] = box.width.screen;
  return json;
}

Json legendJson(const LegendEntry& entry) {
  Json json = {{"text", entry.text + entry.detail}};
  const LegendSymbol& symbol = entry.symbol;
  if (symbol.width > 0) json["width"] = symbol.width;
  if (symbol.box) json["box"] = colourJson(*symbol.box);
  if (symbol.rim) json["rim"] = strokeJson(*symbol.rim);
  if (symbol.hatch != Ink::None) json["hatch"] = colourJson(symbol.hatch);
  if (symbol.line) json["line"] = strokeJson(*symbol.line);
  if (symbol.bar) json["bar"] = strokeJson(*symbol.bar);
  if (symbol.marker) json["marker"] = markerJson(*symbol.marker);
  if (symbol.ramp != Ink::None) {
    const auto rampOf = [&symbol](bool dark) -> const auto& {
      return symbol.ramp == Ink::Query ? plotPalette(dark).queryRamp : plotPalette(dark).keyRamp;
    };
    json["ramp"] = Json::array();
    for (std::size_t i = 0; i < 4; ++i)
      json["ramp"].push_back(colourJson(Colour(rampOf(false)[i], rampOf(true)[i])));
  }
  return json;
}

}  // namespace

Json roundedNumber(double value) {
  if (!std::isfinite(value)) return nullptr;
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 4).ptr;
  double rounded = 0;
  std::from_chars(text, end, rounded);
  if (rounded == std::round(rounded) && std::abs(rounded) < 1e15) return static_cast<std::int64_t>(rounded);
  return rounded;
}

Json plotJson(const Plot& plot, const PlotJsonOptions& options) {
  Json json = {{"legend", listOf(plot.legend, legendJson)},
               {"boxes", listOf(plot.boxes, [&](const Box& box) { return boxJson(box, options); })}};
  if (!plot.panels.empty())
    json.update(
        Json{{"panels", listOf(plot.panels, [&](const Plot& panel) { return plotJson(panel, options); })},
             {"columns", plot.columns}});
  if (plot.scale) json["scale"] = scaleJson(plot.scale);
  return json;
}

}  // namespace plastiscope
