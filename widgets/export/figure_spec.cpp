#include "widgets/export/figure_spec.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <regex>
#include <sstream>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/capture/head_ranges.h"
#include "core/compare/comparison.h"
#include "core/compare/reference_data.h"
#include "widgets/state/shell_text.h"

namespace plastiscope {

namespace {

const std::vector<std::string> kWidths = {"column", "full", "half", "third"};
const std::vector<std::string> kThemes = {"light", "dark"};
const std::vector<std::string> kAxes = {"", "share", "tokens"};
const std::vector<std::string> kPanels = {"", "family"};
constexpr int kMostColumns = 12;

template <typename Names>
void requireKnown(const std::string& what, const std::string& name, const Names& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  const std::string near = nearestName(name, known);
  std::string list;
  for (const auto& candidate : known) list += (list.empty() ? "" : ", ") + std::string(candidate);
  throw UsageError("unknown " + what + " \"" + name + "\"" +
                   (near.empty() ? "" : "; did you mean " + near + "?") + " (known: " + list + ")");
}

std::optional<double> numberOf(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Reads an optional member; UsageError when it has another type.
template <typename Value>
void read(const Json& object, const char* key, Value& into) {
  const auto found = object.find(key);
  if (found == object.end()) return;
  try {
    into = found->get<Value>();
  } catch (const Json::exception&) {
    throw UsageError("figure settings: \"" + std::string(key) + "\" has the wrong type");
  }
}

std::string quoted(const std::string& text) {
  return shellQuoted(QString::fromStdString(text)).toStdString();
}

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ",") + name;
  return all;
}

std::vector<std::string> headTexts(const std::vector<HeadName>& heads) {
  std::vector<std::string> texts;
  for (const HeadName& head : heads) texts.push_back(head.text());
  return texts;
}

void requirePositive(double value, const char* what, double most) {
  if (!(value >= 0 && value <= most)) {
    throw UsageError(std::string(what) + ": expected more than 0 and at most " + numberText(most) +
                     ", found " + numberText(value));
  }
}

}  // namespace

const VenuePreset& venuePreset(const std::string& id) {
  std::vector<std::string> known;
  for (const VenuePreset& preset : venuePresets()) {
    if (preset.id == id) return preset;
    known.push_back(preset.id);
  }
  requireKnown("preset", id, known);
  throw Error(ErrorKind::Internal, "preset " + id + " vanished");
}

void FigureSpec::validate() const {
  venuePreset(preset);
  requireKnown("width", width, kWidths);
  requirePositive(widthInches, "figure width in inches", 60);
  requirePositive(heightInches, "figure height in inches", 60);
  requirePositive(fontPoints, "font size in points", 72);
  requirePositive(linePoints, "line width in points", 20);
  if (!reference.empty()) requiredReferenceModel(reference);
  requireKnown("axis", axis, kAxes);
  requireKnown("panels", panels, kPanels);
  if (columns < 0 || columns > kMostColumns)
    throw UsageError("columns: expected 1 to " + std::to_string(kMostColumns) + ", found " +
                     std::to_string(columns));
  compareOrderOf(order);
  if (dpi < 72 || dpi > 1200) throw UsageError("dpi: expected 72 to 1200, found " + std::to_string(dpi));
}

Json FigureSpec::toJson() const {
  const FigureSpec plain;
  Json json = {{"figure", figure}, {"preset", preset}, {"theme", theme == Theme::Dark ? "dark" : "light"}};
  if (scope.head) json["head"] = scope.head->text();
  if (scope.layer) json["layer"] = *scope.layer;
  if (!metric.empty()) json["metric"] = metric;
  if (width != plain.width) json["width"] = width;
  if (widthInches > 0) json["width_inches"] = widthInches;
  if (heightInches > 0) json["height_inches"] = heightInches;
  if (fontPoints > 0) json["font_points"] = fontPoints;
  if (!family.empty()) json["font_family"] = family;
  if (linePoints != plain.linePoints) json["line_points"] = linePoints;
  if (range) json["range"] = {range->first, range->second};
  if (dpi != plain.dpi) json["dpi"] = dpi;
  if (!reference.empty()) json["reference"] = reference;
  if (!names.empty()) json["names"] = names;
  if (order != plain.order) json["order"] = order;
  if (!axis.empty()) json["axis"] = axis;
  if (published) json["published"] = true;
  if (!intervals) json["intervals"] = false;
  if (!scores.empty()) json["scores"] = textOfBytes(scores);
  if (!group.empty()) json["group"] = group;
  if (!heads.empty()) json["heads"] = headTexts(heads);
  if (!against.empty()) json["against"] = against;
  if (!panels.empty()) json["panels"] = panels;
  if (columns != plain.columns) json["columns"] = columns;
  return json;
}

FigureSpec FigureSpec::fromJson(const Json& value) {
  if (!value.is_object()) throw UsageError("figure settings: expected a JSON object");
  static const std::vector<std::string> kKeys = {
      "figure",    "head",  "layer",        "metric",        "preset",      "width",       "theme",
      "range",     "dpi",   "width_inches", "height_inches", "font_points", "font_family", "line_points",
      "reference", "names", "order",        "axis",          "published",   "scores",      "group",
      "intervals", "heads", "against",      "panels",        "columns"};
  for (const auto& [key, ignored] : value.items()) requireKnown("figure setting", key, kKeys);
  FigureSpec spec;
  read(value, "figure", spec.figure);
  std::string head, theme = "light";
  read(value, "head", head);
  if (!head.empty()) spec.scope.head = parseOneHead(head);
  if (value.contains("layer")) read(value, "layer", spec.scope.layer.emplace());
  read(value, "metric", spec.metric);
  read(value, "preset", spec.preset);
  read(value, "width", spec.width);
  read(value, "width_inches", spec.widthInches);
  read(value, "height_inches", spec.heightInches);
  read(value, "font_points", spec.fontPoints);
  read(value, "font_family", spec.family);
  read(value, "line_points", spec.linePoints);
  read(value, "theme", theme);
  read(value, "dpi", spec.dpi);
  read(value, "reference", spec.reference);
  read(value, "names", spec.names);
  read(value, "order", spec.order);
  read(value, "axis", spec.axis);
  read(value, "published", spec.published);
  read(value, "intervals", spec.intervals);
  read(value, "scores", spec.scores);
  spec.scores = bytesOfText(spec.scores);
  read(value, "group", spec.group);
  std::vector<std::string> heads;
  read(value, "heads", heads);
  if (!heads.empty()) useHeads(spec, joined(heads));
  read(value, "against", spec.against);
  read(value, "panels", spec.panels);
  read(value, "columns", spec.columns);
  spec.theme = parseTheme(theme);
  if (value.contains("range")) {
    std::vector<double> ends;
    read(value, "range", ends);
    if (ends.size() != 2 || !(ends[0] < ends[1]))
      throw UsageError("figure settings: range needs two rising numbers");
    spec.range = std::pair{ends[0], ends[1]};
  }
  spec.validate();
  return spec;
}

HeadName parseOneHead(const std::string& text) {
  const std::vector<HeadName> heads = parseHeadList(text);
  if (heads.size() != 1) throw UsageError("expected one head such as L12H6, found \"" + text + "\"");
  return heads.front();
}

void useHeads(FigureSpec& spec, const std::string& text, const std::optional<std::vector<HeadName>>& there) {
  // Panels stand in the order given, which a list of heads does not keep.
  spec.heads.clear();
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::vector<HeadName> heads = there ? headsMeant(part, *there) : parseHeadList(part);
    spec.heads.insert(spec.heads.end(), heads.begin(), heads.end());
  }
  if (spec.heads.size() > 1) return;
  spec.scope.head = spec.heads.empty() ? parseOneHead(text) : spec.heads.front();
  spec.heads.clear();
}

std::optional<PositionAxis> positionAxisOf(const FigureSpec& spec) {
  if (spec.axis.empty()) return std::nullopt;
  return spec.axis == "tokens" ? PositionAxis::Tokens : PositionAxis::Share;
}

std::vector<std::string> FigureSpec::metrics() const {
  std::vector<std::string> parts(1);
  for (const char c : metric) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::pair<double, double> parseFigureSize(const std::string& text) {
  static const std::regex kForm("([0-9.]+)[xX]([0-9.]+)(in|mm|cm|pt)?");
  std::smatch parts;
  if (std::regex_match(text, parts, kForm)) {
    const auto width = numberOf(parts[1].str()), height = numberOf(parts[2].str());
    const std::string unit = parts[3].str();
    const double inches = unit == "mm" ? 1 / 25.4 : unit == "cm" ? 1 / 2.54 : unit == "pt" ? 1 / 72.0 : 1;
    if (width && height && *width > 0 && *height > 0) return {*width * inches, *height * inches};
  }
  throw UsageError("size: expected WIDTHxHEIGHT with in, mm, cm or pt, such as 5.5x2.1in, found \"" + text +
                   "\"");
}

double parsePoints(const std::string& text) {
  const std::string digits = text.ends_with("pt") ? text.substr(0, text.size() - 2) : text;
  const auto value = numberOf(digits);
  if (!value || !(*value > 0))
    throw UsageError("font size: expected points such as 9pt, found \"" + text + "\"");
  return *value;
}

std::pair<double, double> parseRange(const std::string& text) {
  const auto comma = text.find(',');
  if (comma != std::string::npos) {
    const auto low = numberOf(text.substr(0, comma)), high = numberOf(text.substr(comma + 1));
    if (low && high && *low < *high) return {*low, *high};
  }
  throw UsageError("range: expected MIN,MAX with MIN below MAX, such as 0,1, found \"" + text + "\"");
}

Theme parseTheme(const std::string& text) {
  requireKnown("theme", text, kThemes);
  return text == "dark" ? Theme::Dark : Theme::Light;
}

std::string figureSizeText(double widthInches, double heightInches) {
  const auto rounded = [](double inches) { return numberText(std::round(inches * 1e4) / 1e4); };
  return rounded(widthInches) + "x" + rounded(heightInches) + "in";
}

std::string renderCommand(const FigureSpec& spec, const std::vector<std::string>& studyFiles,
                          const std::string& out, const std::vector<std::string>& flags) {
  const FigureSpec plain;
  std::string command = "plastiscope render";
  for (const std::string& file : studyFiles) command += " " + quoted(file);
  command += spec.figure.empty() ? " --all" : " --figure " + spec.figure;
  const auto add = [&command](const std::string& option, const std::string& value) {
    command += " --" + option + " " + quoted(value);
  };
  if (spec.scope.head) add("head", spec.scope.head->text());
  if (spec.scope.layer) add("layer", std::to_string(*spec.scope.layer));
  if (!spec.metric.empty()) add("metric", spec.metric);
  add("preset", spec.preset);
  if (spec.width != plain.width) add("width", spec.width);
  if (spec.widthInches > 0 && spec.heightInches > 0)
    add("size", figureSizeText(spec.widthInches, spec.heightInches));
  if (spec.fontPoints > 0) add("font-size", numberText(spec.fontPoints) + "pt");
  if (!spec.family.empty()) add("font", spec.family);
  if (spec.linePoints != plain.linePoints) add("line-width", numberText(spec.linePoints) + "pt");
  if (spec.theme == Theme::Dark) add("theme", "dark");
  if (spec.range) add("range", numberText(spec.range->first) + "," + numberText(spec.range->second));
  if (!spec.reference.empty()) add("reference", spec.reference);
  if (!spec.names.empty()) add("names", joined(spec.names));
  if (spec.order != plain.order) add("order", spec.order);
  if (!spec.axis.empty()) add("axis", spec.axis);
  if (!spec.scores.empty()) add("scores", textOfBytes(spec.scores));
  if (!spec.group.empty()) add("group", spec.group);
  if (!spec.heads.empty()) add("head", joined(headTexts(spec.heads)));
  if (!spec.against.empty()) add("against", spec.against);
  if (!spec.panels.empty()) add("panels", spec.panels);
  if (spec.columns != plain.columns) add("columns", std::to_string(spec.columns));
  if (spec.published) command += " --published";
  if (!spec.intervals) command += " --no-intervals";
  if (spec.dpi != plain.dpi) add("dpi", std::to_string(spec.dpi));
  for (const std::string& flag : flags) command += " " + flag;
  add("out", out);
  return command;
}

}  // namespace plastiscope
