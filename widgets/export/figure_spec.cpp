#include "widgets/export/figure_spec.h"

#include <QFile>
#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>
#include <tuple>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/parsed_number.h"
#include "core/base/path_text.h"
#include "core/capture/head_list.h"
#include "core/compare/benchmark.h"
#include "core/compare/reference_data.h"
#include "widgets/state/file_text.h"

static void initFigureResources() {
  Q_INIT_RESOURCE(figures);
}  // must be outside of any namespace

namespace plastiscope {

namespace {

constexpr int kMaxColumns = 12;
constexpr double kMaxTokens = 9999999;  // maximum of a field

std::string quoted(const std::string& text) {
  return shellQuoted(QString::fromStdString(text)).toStdString();
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

std::vector<VenuePreset> readPresets() {
  initFigureResources();
  QFile file(":/figures/presets.json");
  if (!file.open(QIODevice::ReadOnly))
    throw Error(ErrorKind::Internal, "the list of venue presets is missing");
  const Json json = parseJson(file.readAll().toStdString(), "presets.json");
  std::vector<VenuePreset> presets;
  for (const Json& preset : json.at("presets")) {
    presets.push_back(
        {preset.at("id"), preset.at("title"), preset.at("column"), preset.at("text"), preset.at("caption")});
  }
  return presets;
}

std::vector<std::string> presetIds() {
  std::vector<std::string> ids;
  for (const VenuePreset& preset : venuePresets()) ids.push_back(preset.id);
  return ids;
}

// ---- values with a text form of their own

TextForm headForm(FigureSpec& spec) {
  return {[&spec] {
            if (!spec.heads.empty()) return joined(spec.heads, &HeadName::text, ",");
            return spec.scope.head ? spec.scope.head->text() : std::string();
          },
          [&spec](const std::string& text) { useHeads(spec, text); }};
}

TextForm oneHeadForm(FigureSpec& spec) {
  return {[&spec] { return spec.scope.head ? spec.scope.head->text() : std::string(); },
          [&spec](const std::string& text) { spec.scope.head = parseOneHead(text); }};
}

TextsForm headsForm(FigureSpec& spec) {
  return {[&spec] { return headTexts(spec.heads); },
          [&spec](const std::vector<std::string>& texts) {
            if (!texts.empty()) useHeads(spec, joined(texts, {}, ","));
          }};
}

TextsForm severalForm(FigureSpec& spec) {
  return {[&spec] { return headTexts(spec.scope.several); },
          [&spec](const std::vector<std::string>& texts) {
            spec.scope.several.clear();
            if (!texts.empty()) spec.scope.several = parseHeadList(joined(texts, {}, ","));
          }};
}

// An empty title as "=": empty parts of a list are dropped on the command line.
TextsForm titlesForm(FigureSpec& spec) {
  const auto renamed = [](std::vector<std::string> titles, const std::string& from, const std::string& to) {
    std::ranges::replace(titles, from, to);
    return titles;
  };
  return {
      [&spec, renamed] { return renamed(spec.titles, "", "="); },
      [&spec, renamed](const std::vector<std::string>& titles) { spec.titles = renamed(titles, "=", ""); }};
}

// "3,17"
TextForm looksForm(std::vector<int>& looks) {
  return {[&looks] { return joined(looks, [](int look) { return std::to_string(look); }, ","); },
          [&looks](const std::string& text) {
            looks.clear();
            std::istringstream parts(text);
            for (std::string part; std::getline(parts, part, ',');) {
              const auto look = parsedFinite(part);
              if (!look || *look != std::floor(*look) || *look < 0 || *look >= kLooks)
                throw UsageError("looks: expected numbers from 0 to " + std::to_string(kLooks - 1) +
                                 ", found \"" + text + "\"");
              looks.push_back(static_cast<int>(*look));
            }
          }};
}

// A choice whose first name stands for no value.
template <typename Enum>
Choice optionalChoice(std::optional<Enum>& value, std::vector<std::string> names) {
  names.emplace(names.begin());
  return {std::move(names), [&value] { return value ? static_cast<std::size_t>(*value) + 1 : 0; },
          [&value](std::size_t index) {
            value.reset();
            if (index > 0) value = static_cast<Enum>(index - 1);
          }};
}

// "1000..1999", both included.
TextForm tokensForm(std::optional<TokenRange>& range) {
  return {[&range] {
            return range ? std::to_string(range->first) + ".." + std::to_string(range->end - 1)
                         : std::string();
          },
          [&range](const std::string& text) {
            static const std::regex kTokens("([0-9]{1,9})\\.\\.([0-9]{1,9})");
            std::smatch ends;
            const bool found = std::regex_match(text, ends, kTokens);
            if (found) range = {std::stoll(ends[1].str()), std::stoll(ends[2].str()) + 1};
            if (!found || range->size() == 0)
              throw UsageError("expected the first and the last token, such as 1000..1999, found \"" + text +
                               "\"");
          }};
}

Choice kindChoice(QueryOrKey& kind) {
  return {{"queries", "keys"},
          [&kind] { return static_cast<std::size_t>(kind); },
          [&kind](std::size_t index) { kind = static_cast<QueryOrKey>(index); }};
}

TextForm sizeForm(FigureSpec& spec) {
  return {[&spec] {
            const bool own = spec.widthInches > 0 && spec.heightInches > 0;
            return own ? figureSizeText(spec.widthInches, spec.heightInches) : std::string();
          },
          [&spec](const std::string& text) {
            std::tie(spec.widthInches, spec.heightInches) = parseFigureSize(text);
          }};
}

TextForm pointsForm(double& points) {
  return {[&points] { return points > 0 ? numberText(points) + "pt" : std::string(); },
          [&points](const std::string& text) { points = parsePoints(text); }};
}

}  // namespace

const std::vector<VenuePreset>& venuePresets() {
  static const std::vector<VenuePreset> presets = readPresets();
  return presets;
}

const VenuePreset& venuePreset(const std::string& id) {
  requireWord("preset", id, presetIds());
  return *std::find_if(venuePresets().begin(), venuePresets().end(),
                       [&](const VenuePreset& preset) { return preset.id == id; });
}

HeadAxes axesOf(const FigureSpec& spec) {
  HeadAxes axes;
  axes.y = columnAs(spec.plasticity, axes.y);
  if (!spec.metric.empty()) axes.y = spec.metric;
  if (!spec.against.empty()) axes.x = spec.against;
  axes.colour = spec.colourMetric;
  return axes;
}

OptionList figureOptions(FigureSpec& s) {
  OptionList options = {
      Option{"--figure", "figure", &s.figure, "Figure id; --list names all"},
      Option{"--head", "", headForm(s),
             "One head, such as L12H6, or several for panels: L12H6,L3H0-7; a range selects the heads that "
             "the input has"},
      Option{"", "head", oneHeadForm(s)},
      Option{"", "heads", headsForm(s)},
      Option{"--layer", "layer", &s.scope.layer, "The heads of one layer",
             OptionTraits{.limit = Limit::NotNegative}},
      Option{"--mean-of", "mean_of", severalForm(s),
             "Heads whose mean the figure shows, with its interval over them: L12H6,L3H0-7",
             OptionTraits{.separator = ','}},
      Option{"--metric", "metric", &s.metric,
             "Column of heads.csv, for figures that show a metric; several for panels"},
      Option{"--groups", "groups", &s.groups,
             "Groups of heads: NAME of the study's notes, or NAME=HEADS as in plastiscope-cli groups. Each "
             "group is a "
             "line, a strip or a panel; comparisons show the heads of one group"},
      Option{"--against", "against", &s.against,
             "The other metric of a scatter of heads; for figures of groups rest, layers or a group"},
      Option{"--colour-metric", "colour_metric", &s.colourMetric,
             "Metric that colours the points of figure head-metrics"},
      Option{"--panels", "panels", choiceOf(s.panels), "family: one panel for each family of models"},
      Option{"--parts", "parts", &s.parts,
             "Panels of figure page: FIGURE[:HEAD, LAYER or METRIC][:NUMBERS OF INPUTS][@PLACE], such as "
             "map:L12H6,head-grid:ap_drop,profile:L3:2; PLACE is WIDTHxHEIGHT+X+Y in parts of the page's "
             "width, from the top left: map:L12H6@0.48x0.3+0.52+0",
             OptionTraits{.separator = ','}},
      Option{"--titles", "titles", titlesForm(s),
             "Titles of the panels of figure page, separated by semicolons; =: from the figure, -: none",
             OptionTraits{.separator = ';'}},
      Option{"--colour", "colour", choiceOf(s.colour),
             "Colour of the rows of a plane: position, text, token_type, norm, rest (length outside of the "
             "plane), quintile",
             OptionTraits{.showsDefault = true}},
      Option{"--grid-order", "grid_order", choiceOf(s.gridOrder),
             "Order of the heads of a grid: layers (each at its place), value (each layer from low to high) "
             "or similar",
             OptionTraits{.showsDefault = true}},
      Option{"--grid-show", "grid_show", choiceOf(s.gridShow),
             "Cells of a grid: heads, kv-groups (means of those that share a key head) or layers",
             OptionTraits{.showsDefault = true}},
      Option{"--text", "text", &s.text,
             "Id of the text of figures text, keys and attention; default: the first text", OptionTraits(),
             OptionField{.page = "Text", .row = "Text", .tip = "Id of the text", .special = "the first one"}},
      Option{"--first-token", "first_token", &s.firstToken,
             "Position of the first token of figure text; default: the beginning, or around the query",
             OptionTraits{.limit = Limit::NotNegative},
             OptionField{.page = "Text",
                         .row = "Tokens",
                         .label = "from",
                         .tip = "Position of the first token; default: the beginning, or around the query",
                         .special = "default",
                         .least = -1,
                         .most = kMaxTokens,
                         .step = 10}},
      Option{"--tokens", "tokens", &s.tokens, "Number of tokens of figure text; default: as many as fit",
             OptionTraits{.limit = Limit::NotNegative},
             OptionField{.page = "Text",
                         .row = "Tokens",
                         .label = "number",
                         .tip = "Number of tokens: the height adapts, and the type size where necessary",
                         .special = "as many as fit",
                         .most = kMaxTokens,
                         .step = 10}},
      Option{"--query", "query", &s.query,
             "Position of a captured query for figures text and keys; default: none, or the last one where "
             "its scores are shown",
             OptionTraits{.limit = Limit::NotNegative},
             OptionField{.page = "Text",
                         .row = "Query",
                         .tip = "Position of a captured query; default: none, or the last one of the text "
                                "where its scores are shown",
                         .special = "default",
                         .least = -1,
                         .most = kMaxTokens}},
      Option{"--token-colour", "token_colour", choiceOf(s.tokenColour),
             "Colour of the tokens of figure text: a, b, norm, PP, score or weight (of the query)",
             OptionTraits{.showsDefault = true},
             OptionField{.page = "Text", .row = "Colour", .tip = "Colour of the tokens"}},
      Option{"--token-rows", "token_rows", kindChoice(s.tokenRows),
             "Rows that colour the tokens of figure text: queries or keys; scores always colour keys",
             OptionTraits{.showsDefault = true},
             OptionField{.page = "Text",
                         .row = "Colour",
                         .label = "of",
                         .tip = "Rows that colour the tokens; scores always colour keys"}},
      Option{"--query-texts", "query_texts", &s.attended.examples,
             "Only queries of these texts in figure attended: numbers from 0 or ids, such as 0-3,7"},
      Option{"--query-positions", "query_positions", &s.attended.positions,
             "Only queries at these positions in figure attended, such as 3277..4095"},
      Option{"--query-types", "query_types", &s.attended.tokenTypes,
             "Only queries with these types of tokens in figure attended, such as word_start,number"},
      Option{
          "--quantity", "quantity", choiceOf(s.attention.quantity),
          "Quantity of figure attention: weight (after the softmax), score (before it) or position (the part "
          "of "
          "the score that the distance predicts)",
          OptionTraits{.showsDefault = true},
          OptionField{
              .page = "Text", .row = "Map", .tip = "Attention weights, scores, or their part by distance"}},
      Option{"--cells", "cells", choiceOf(s.attention.cells),
             "Value of the cells of figure attention: max or mean of their pairs",
             OptionTraits{.showsDefault = true},
             OptionField{
                 .page = "Text", .row = "Map", .label = "cells", .tip = "Largest or mean value of a cell"}},
      Option{"--linear", "linear", &s.attention.linear,
             "Weights on a linear colour scale instead of a logarithmic one", OptionTraits(),
             OptionField{.page = "Text", .row = "Map", .label = "linear"}},
      Option{"--queries", "queries", tokensForm(s.queries),
             "Positions of the queries of figure attention, such as 1000..1999; default: all"},
      Option{"--keys", "keys", tokensForm(s.keys), "The same of the keys"},
      Option{"--columns", "columns", &s.columns, "Columns of panels; default: about as many as rows"},
      Option{"--reference", "reference", &s.reference,
             "Published numbers of a model behind profile, quintiles or depth, such as qwen3-0.6b"},
      Option{"--names", "names", &s.names, "Names of several inputs, separated by commas",
             OptionTraits{.separator = ','}},
      Option{"--looks", "looks", looksForm(s.looks),
             "Colours and marks of several inputs, one number per input: colour (0 to 7) + 8 x mark (0 to "
             "9); default: derived from the captures, so that they differ"},
      Option{"--order", "order", choiceOf(s.order),
             "Order of several inputs: given, name, tokens (by window), size, depth (layers) or date",
             OptionTraits{.showsDefault = true}},
      Option{"--axis", "axis", optionalChoice(s.axis, {"share", "tokens"}),
             "Positions: share (of each model's own window) or tokens; default: share in comparisons and "
             "beside published numbers of another window, else tokens"},
      Option{"--no-intervals", "intervals", &s.intervals, "Draw means without their 95 % intervals",
             OptionTraits{.clears = true}},
      Option{"--plasticity", "plasticity", choiceOf(s.plasticity),
             "AP that is shown: aligned (of queries put at one position) or binned, as in the thesis. "
             "Default: aligned where all inputs have it and no published numbers are shown beside them",
             OptionTraits{.showsDefault = true}},
      Option{
          "--rows", "rows", &s.rows,
          "Rows of figure compare-matrix: grid, plane, map, profile, quintiles, loss, numbers; default: all",
          OptionTraits{.separator = ','}},
      Option{"--differences", "differences", &s.differences,
             "Rows of figure compare-matrix that show differences from the first input",
             OptionTraits{.separator = ','}},
      Option{"--matching", "matching", optionalChoice(s.matching, {"name", "depth"}),
             "Heads of figure compare-matrix are matched by name or by relative depth; default: by name "
             "where all have the same layers and heads"},
      Option{"--of-head", "of_head", &s.ofHead,
             "Profiles and quintiles of figure compare-matrix show the head instead of means over heads"},
      Option{"--common-heads", "common_heads", &s.commonHeads,
             "Comparisons use only the heads that all inputs have, instead of all heads of each"},
      Option{"--published", "published", &s.published,
             "Also draw the thesis' numbers for the inputs that it covers"},
      Option{"--scores", "scores", &s.scores,
             "Scores of figure benchmark: longbench_pro, ruler, ruler_base, or a CSV file (model, score [, "
             "length, suite, mode])",
             OptionTraits{.words = benchmarkNames(), .open = true}},
      Option{"--group", "group", &s.group, "Group of scores: SUITE/MODE/LENGTH, or SUITE/MODE/lengths"},
      Option{"--preset", "preset", &s.preset, "Venue, which sets sizes and fonts",
             OptionTraits{.showsDefault = true, .words = presetIds(), .open = true}},
      Option{"--width", "width", choiceOf(s.width), "Width from the preset: column, full, half, third",
             OptionTraits{.showsDefault = true}},
      Option{"--size", "", sizeForm(s), "Size of the figure: WIDTHxHEIGHT in in, mm, cm or pt"},
      Option{"", "width_inches", &s.widthInches},
      Option{"", "height_inches", &s.heightInches},
      Option{"--font-size", "", pointsForm(s.fontPoints), "Size of axis titles, in points"},
      Option{"", "font_points", &s.fontPoints},
      Option{"--font", "font_family", &s.family, "Font family; default: a Times-compatible serif"},
      Option{"--line-width", "", pointsForm(s.linePoints),
             "Width of axis lines, in points; curves scale with it"},
      Option{"", "line_points", &s.linePoints, "", OptionTraits(),
             OptionField{.page = "Style",
                         .row = "Lines",
                         .tip = "Width of axis lines; curves scale with it",
                         .suffix = " pt",
                         .least = 0.2,
                         .most = 3,
                         .step = 0.1,
                         .decimals = 1}},
      Option{
          "--theme", "theme", choiceOf(s.theme), "Theme: light or dark", OptionTraits{.showsDefault = true},
          OptionField{.page = "Style", .row = "Lines", .label = "theme", .tip = "White or dark background"}},
      Option{"--range", "range", &s.range, "Range MIN,MAX of the colours or the value axis"},
      Option{"--dpi", "dpi", &s.dpi, "Resolution of PNG files, in dots per inch",
             OptionTraits{.showsDefault = true}},
  };
  for (Option& option : options) {
    const bool always = option.key == "figure" || option.key == "preset" || option.key == "theme";
    option.traits.leftOut = !always;
  }
  return options;
}

void FigureSpec::validate() const {
  venuePreset(preset);
  requirePositive(widthInches, "figure width in inches", 60);
  requirePositive(heightInches, "figure height in inches", 60);
  requirePositive(fontPoints, "font size in points", 72);
  requirePositive(linePoints, "line width in points", 20);
  if (!reference.empty()) requiredReferenceModel(reference);
  if (gridOrder == HeadOrder::Similar && gridShow != HeadShow::Heads)
    throw UsageError("--grid-order similar orders heads: it cannot be combined with --grid-show");
  if (columns < 0 || columns > kMaxColumns)
    throw UsageError("columns: expected 1 to " + std::to_string(kMaxColumns) + ", found " +
                     std::to_string(columns));
  if (dpi < 72 || dpi > 1200) throw UsageError("dpi: expected 72 to 1200, found " + std::to_string(dpi));
}

Json FigureSpec::toJson() const {
  FigureSpec now = *this, plain;
  return plastiscope::toJson(figureOptions(now), figureOptions(plain));
}

FigureSpec FigureSpec::fromJson(const Json& value) {
  if (!value.is_object()) throw UsageError("figure settings: expected a JSON object");
  FigureSpec spec;
  const OptionList options = figureOptions(spec);
  requireKnownMembers(options, value, "figure setting");
  readMembers(options, value, "figure setting");
  spec.validate();
  return spec;
}

HeadName parseOneHead(const std::string& text) {
  const std::vector<HeadName> heads = parseHeadList(text);
  if (heads.size() != 1) throw UsageError("expected one head such as L12H6, found \"" + text + "\"");
  return heads.front();
}

void useHeads(FigureSpec& spec, const std::string& text, const std::optional<std::vector<HeadName>>& there) {
  // Panels keep the given order, which a list of heads does not.
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

std::vector<std::string> FigureSpec::metrics() const {
  std::vector<std::string> columnNames(1);
  for (const char c : metric) {
    if (c == ',')
      columnNames.emplace_back();
    else
      columnNames.back() += c;
  }
  return columnNames;
}

std::pair<double, double> parseFigureSize(const std::string& text) {
  static const std::regex kForm("([0-9.]+)[xX]([0-9.]+)(in|mm|cm|pt)?");
  std::smatch parts;
  if (std::regex_match(text, parts, kForm)) {
    const auto width = parsedFinite(parts[1].str()), height = parsedFinite(parts[2].str());
    const std::string unit = parts[3].str();
    const double inches = unit == "mm" ? 1 / 25.4 : unit == "cm" ? 1 / 2.54 : unit == "pt" ? 1 / 72.0 : 1;
    if (width && height && *width > 0 && *height > 0) return {*width * inches, *height * inches};
  }
  throw UsageError("size: expected WIDTHxHEIGHT with in, mm, cm or pt, such as 5.5x2.1in, found \"" + text +
                   "\"");
}

double parsePoints(const std::string& text) {
  const std::string digits = text.ends_with("pt") ? text.substr(0, text.size() - 2) : text;
  const auto value = parsedFinite(digits);
  if (!value || !(*value > 0))
    throw UsageError("font size: expected points such as 9pt, found \"" + text + "\"");
  return *value;
}

std::string figureSizeText(double widthInches, double heightInches) {
  const auto rounded = [](double inches) { return numberText(std::round(inches * 1e4) / 1e4); };
  return rounded(widthInches) + "x" + rounded(heightInches) + "in";
}

std::vector<std::string> renderArguments(const FigureSpec& spec, const std::vector<std::string>& studyFiles,
                                         const std::string& out, const std::vector<std::string>& flags) {
  FigureSpec now = spec, standard;
  standard.figure = now.figure;  // always written
  standard.preset.clear();       // always written
  std::vector<std::string> arguments = studyFiles;
  arguments.emplace_back(spec.figure.empty() ? "--all" : "--figure");
  if (!spec.figure.empty()) arguments.push_back(spec.figure);
  for (const auto& more : {argumentsOf(figureOptions(now), figureOptions(standard)), flags, {"--out", out}})
    arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::string renderCommand(const std::vector<std::string>& arguments) {
  return "plastiscope render " + joined(arguments, quoted, " ");
}

}  // namespace plastiscope
