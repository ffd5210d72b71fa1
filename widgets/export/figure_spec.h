#pragma once
// Specification of one figure: a plain value shared by dialog, command line, tests and provenance files.
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/option.h"
#include "core/compare/comparison.h"
#include "core/figures/parts.h"
#include "core/views/attended_data.h"
#include "core/views/attention_data.h"
#include "core/views/head_metrics.h"
#include "core/views/head_order.h"
#include "core/views/row_colours.h"
#include "core/views/study_facts.h"
#include "core/views/text_data.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

// Widths of a venue, in inches, and its caption size (resources/figures/presets.json).
struct VenuePreset {
  std::string id, title;
  double columnInches = 0, textInches = 0, captionPoints = 10;
};
const std::vector<VenuePreset>& venuePresets();
const VenuePreset& venuePreset(const std::string& id);  // UsageError names the nearest one

enum class FigureWidth { Column, Full, Half, Third };  // widths of the preset
constexpr std::array<const char*, 4> namesOf(FigureWidth) {
  return {"column", "full", "half", "third"};
}
enum class PanelsOf { Usual, Family };  // Family: one panel for each family of models
constexpr std::array<const char*, 2> namesOf(PanelsOf) {
  return {"", "family"};
}
constexpr std::array<const char*, 2> namesOf(Theme) {
  return {"light", "dark"};
}

// To add an option: its member here, its entry in figureOptions(), and its key in the entries of the figures
// that take it, if not all do.
struct FigureSpec {
  std::string figure = "head-grid";  // an id of figureKinds()
  HeadScope scope;                   // head, layer, several heads (their mean) or all
  std::string metric;                // column of heads.csv, for figures with a metric; "" = default
  std::string preset = "neurips";
  FigureWidth width = FigureWidth::Column;
  double widthInches = 0, heightInches = 0;  // 0 = from preset and the figure's own proportions
  double fontPoints = 0;                     // axis titles; 0 = one below the preset's caption size
  std::string family;                        // "" = a Times-compatible serif
  double linePoints = 0.6;
  Theme theme = Theme::Light;
  std::optional<std::pair<double, double>> range;  // colour range or value axis
  int dpi = 300;                                   // for PNG files: 300 or 600
  std::string reference;  // id of a published model shown in the background; "" = none
  // Figures of several studies.
  std::vector<std::string> names;  // one per study; empty = from models and files
  std::vector<int> looks;          // one per study (captureLooks() in parts.h); empty = from the captures
  CompareOrder order = CompareOrder::Given;
  std::optional<PositionAxis> axis;     // nullopt: default of the figure
  bool published = false;               // published numbers of all models in the thesis
  bool intervals = true;                // 95 % intervals of means
  ApKind plasticity = ApKind::Aligned;  // shown where the inputs have it
  // The matrix of a comparison.
  std::vector<std::string> rows;         // names of MatrixRow; empty = all
  std::vector<std::string> differences;  // rows that show differences from the first input
  std::optional<HeadMatching> matching;  // nullopt: by name if all have the same layers and heads
  bool commonHeads = false;              // only heads that all inputs have
  bool ofHead = false;                   // profiles and quintiles of the head instead of means over heads
  // Benchmark figures.
  std::string scores;  // a name of benchmarkNames() or a CSV file; "" = longbench_pro
  std::string group;   // ScoreGroup::text(); "" = the scores with the most models
  // Groups of heads, as parseGroups() takes them: NAME or NAME=HEADS.
  std::vector<std::string> groups;
  // Several panels: one per head, per metric of a list, and per study in figures of one study.
  std::vector<HeadName> heads;  // two or more; else scope.head
  std::string against;          // second metric of a scatter, or what groups are compared with; "" = default
  std::string colourMetric;     // colour of points; "" = default
  PanelsOf panels = PanelsOf::Usual;
  // For figure "page": the figure of each panel with its subject, "map:L12H6", and its place (PagePart in
  // figure_panels.h); empty: default. Titles of these panels: "" = from the figure, "-" = none.
  std::vector<std::string> parts, titles;
  RowColour colour = RowColour::Position;   // for the rows of a plane
  HeadOrder gridOrder = HeadOrder::Layers;  // for a head grid
  HeadShow gridShow = HeadShow::Heads;
  // Figures of a text.
  std::string text;                        // id of the text; "" = the first one
  std::optional<std::int64_t> firstToken;  // nullopt: the beginning, or near the query
  std::int64_t tokens = 0;                 // 0 = as many as fit
  std::optional<std::int64_t> query;       // position; nullopt: the last query of the text, where needed
  TokenMeasure tokenColour = TokenMeasure::A;
  QueryOrKey tokenRows = QueryOrKey::Query;
  RowChoice attended;  // queries of figure attended
  AttentionChoice attention;
  std::optional<TokenRange> queries, keys;  // part of the text; nullopt: all
  int columns = 0;                          // columns of panels; 0 = about as many as rows
  // Properties of the inputs, for the size only, not written (sizedFor): number of studies and of families.
  std::size_t studies = 1, families = 1;

  std::vector<std::string> metrics() const;  // `metric` split at commas; at least one, may be ""

  void validate() const;                          // UsageError
  Json toJson() const;                            // only values that differ from the defaults, and the figure
  static FigureSpec fromJson(const Json& value);  // UsageError for unknown names or values
};

// Axes of figure head-metrics.
HeadAxes axesOf(const FigureSpec& spec);

// All options of a figure, in the order of the help: source of the command line, JSON, the printed command
// and the export dialog.
OptionList figureOptions(FigureSpec& spec);

// "L12H6"; "5.5x2.1in", "82x60mm" -> inches; "9pt" or "9". UsageError otherwise.
HeadName parseOneHead(const std::string& text);
// One head goes into the scope, several into `heads` in the given order. `there`: heads that ranges are
// limited to; without it a range includes all heads. UsageError for a named head that is not in it.
void useHeads(FigureSpec& spec, const std::string& text,
              const std::optional<std::vector<HeadName>>& there = std::nullopt);
std::pair<double, double> parseFigureSize(const std::string& text);
double parsePoints(const std::string& text);
// "5.5x2.1in": inverse of parseFigureSize.
std::string figureSizeText(double widthInches, double heightInches);

// Arguments of `plastiscope render` that draw the same figure; a spec without a figure means all figures of a
// tab. `flags`: "--fixed-date", ...
std::vector<std::string> renderArguments(const FigureSpec& spec, const std::vector<std::string>& studyFiles,
                                         const std::string& out, const std::vector<std::string>& flags = {});
// The command, quoted for a shell.
std::string renderCommand(const std::vector<std::string>& arguments);

}  // namespace plastiscope
