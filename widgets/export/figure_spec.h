#pragma once
// What one figure is: a plain value, the same for the dialog, the command line, tests and provenance files.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json_value.h"
#include "core/figures/parts.h"
#include "core/views/study_facts.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

// Widths of a venue, in inches, and its caption size (resources/figures/presets.json).
struct VenuePreset {
  std::string id, title;
  double columnInches = 0, textInches = 0, captionPoints = 10;
};
const std::vector<VenuePreset>& venuePresets();
const VenuePreset& venuePreset(const std::string& id);  // UsageError names the nearest one

struct FigureSpec {
  std::string figure = "head-grid";  // an id of figureKinds()
  HeadScope scope;                   // head, layer or all
  std::string metric;                // column of heads.csv, for figures that show one; "" = their usual one
  std::string preset = "neurips";
  std::string width = "column";              // column, full, half, third: of the preset
  double widthInches = 0, heightInches = 0;  // 0 = from preset and the figure's own proportions
  double fontPoints = 0;                     // axis titles; 0 = one below the preset's caption size
  std::string family;                        // "" = a Times-compatible serif
  double linePoints = 0.6;
  Theme theme = Theme::Light;
  std::optional<std::pair<double, double>> range;  // colour range or value axis
  int dpi = 300;                                   // of PNG files: 300 or 600
  std::string reference;  // id of a published model whose numbers stand behind; "" = none
  // Figures of several studies.
  std::vector<std::string> names;  // one a study; empty = from models and files
  std::string order = "given";     // given, name, tokens
  std::string axis;                // positions: share (of the window) or tokens; "" = the figure's usual one
  bool published = false;          // the thesis' numbers of every model that it knows
  bool intervals = true;           // 95 % intervals of means
  // The figure of a benchmark.
  std::string scores;  // a name of benchmarkNames() or a CSV file; "" = longbench_pro
  std::string group;   // which of its scores: ScoreGroup::text(); "" = those of the most models
  // Several panels: one for each head, for each metric of a list, and for each study where a figure shows
  // one.
  std::vector<HeadName> heads;  // two or more; else scope.head
  std::string against;          // the other metric of a scatter; "" = the figure's usual one
  std::string panels;           // family: one panel for each family of models
  int columns = 0;              // of panels; 0 = about as many as rows
  // Of what it is drawn from, for its size only, not written (sizedFor): studies, and families among them.
  std::size_t studies = 1, families = 1;

  std::vector<std::string> metrics() const;  // `metric`, taken apart at commas; at least one, may be ""

  void validate() const;                          // UsageError
  Json toJson() const;                            // only what differs from the defaults, and the figure
  static FigureSpec fromJson(const Json& value);  // UsageError for unknown names or values
};

// "L12H6"; "5.5x2.1in", "82x60mm" -> inches; "9pt" or "9"; "0,1"; "light". UsageError otherwise.
HeadName parseOneHead(const std::string& text);
// One head into the scope, several into `heads`, in the order given. `there`: the heads that a range can
// mean; without it a range means all that it says. UsageError for a named one that is not there.
void useHeads(FigureSpec& spec, const std::string& text,
              const std::optional<std::vector<HeadName>>& there = std::nullopt);
// Nothing = the figure's usual one.
std::optional<PositionAxis> positionAxisOf(const FigureSpec& spec);
std::pair<double, double> parseFigureSize(const std::string& text);
double parsePoints(const std::string& text);
std::pair<double, double> parseRange(const std::string& text);
Theme parseTheme(const std::string& text);
// "5.5x2.1in": what parseFigureSize reads back.
std::string figureSizeText(double widthInches, double heightInches);

// `plastiscope render ...` that draws the same figure; arguments quoted for a shell; a spec without
// a figure stands for all figures of a tab. `flags`: "--fixed-date", ...
std::string renderCommand(const FigureSpec& spec, const std::vector<std::string>& studyFiles,
                          const std::string& out, const std::vector<std::string>& flags = {});

}  // namespace plastiscope
