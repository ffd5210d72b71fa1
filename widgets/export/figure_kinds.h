#pragma once
// Every figure that can be exported, in one list. To add one: a function from its data to a plot in
// core/figures, a table of the plotted numbers in core/views, a function in one of the *_figures.cpp files,
// one line in figure_kinds.cpp, a line and baselines in tests/figures.
#include <QString>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.h"
#include "core/figures/parts.h"
#include "core/views/metric_info.h"
#include "core/views/study.h"
#include "core/views/text_excerpt.h"
#include "widgets/export/figure_spec.h"

namespace plastiscope {

// Ready to be drawn or written.
struct FigureContent {
  Plot plot;
  Table data;             // exactly the plotted numbers
  std::string subject;    // "SmolLM2-135M-Instruct, L12H6"; empty = from the studies
  std::string note = {};  // how published numbers were read, to be said in the figure; empty for own ones
  std::string remark = {};  // why another plasticity is shown than was asked for; "" = it is not
};

// A figure whose numbers are there.
struct PreparedFigure {
  FigureSpec spec;
  FigureContent content;
};

using Studies = std::vector<std::shared_ptr<const Study>>;  // none is null

// How many studies a figure shows. None: it can be drawn from what the program ships.
struct StudyCount {
  std::size_t fewest = 1, most = 1;
  bool holds(std::size_t count) const { return fewest <= count && count <= most; }
  std::string text() const;  // "one capture or analysis", "2 to 6 captures or analyses"
};

enum class HeadNeed { None, Optional, Required };
struct FigureKind {
  std::string id, title;
  HeadNeed head = HeadNeed::None;
  std::vector<FigureOption> options;
  double proportion = 0.618;  // height / width unless a size is given
  FigureContent (*prepare)(const Studies&, const FigureSpec&) = nullptr;
  StudyCount studies = {};
  bool needsRows = false;                 // the captures themselves, not only their analyses
  std::vector<HeadName> usualHeads = {};  // shown where no head is named
  bool published = false;                 // also without studies, from published numbers
  bool tall = false;                      // has panels by itself: may be higher than a text is wide
  // Of a kind that has panels by itself: how many stand beside each other where there is room for so many.
  int columns = 0;
  double leastPanelInches = 0;
  bool byFamily = false;     // one for each family of models
  bool needsLosses = false;  // of at least one capture
  bool needsTexts = false;   // their words
  std::string needsTable = {};  // of every analysis, which not every one has

  bool takes(FigureOption option) const;
  // Whether it can be drawn from so many. A figure of one study shows several as panels.
  bool holds(std::size_t studyCount) const;
};

inline constexpr std::size_t kMostPanels = 12;

const std::vector<FigureKind>& figureKinds();
// One of them, or a figure of the thesis (thesis_figures.h); UsageError names the nearest one.
const FigureKind& figureKind(std::string_view id);
// The spec for another figure of the same studies: without the head and options that the kind does not take.
FigureSpec fitToKind(FigureSpec spec, const FigureKind& kind);
// Checks the spec against the kind and the studies, then prepares. UsageError, InputError.
FigureContent prepareFigure(const Studies& studies, const FigureSpec& spec);

// The plasticity that a figure of these studies shows.
ShownPlasticity shownPlasticity(const Studies& studies, const FigureSpec& spec);

// The columns of a kind that has panels by itself, in this width; 0 = it has none, or the spec says how many.
int columnsOf(const FigureKind& kind, const FigureSpec& spec);
// The spec with what its size needs to know about the studies.
FigureSpec sizedFor(FigureSpec spec, const Studies& studies);

struct FigureSize {
  double widthInches = 0, heightInches = 0, labelPoints = 9, tickPoints = 7, numberPoints = 6.5;
};
FigureSize resolveSize(const FigureSpec& spec);
// What is left for the tokens of figure text, in a type of so many points.
PageRoom excerptRoom(const FigureSize& size, double points);

// --- What a tab can show, and what the files are called -------------------------------------------------

// The figures of so many studies, in the order of the list. Those that need none stand apart: they are
// offered where one of them is `shown`, and nowhere else. Scatters need rows.
std::vector<const FigureKind*> figuresFor(const Studies& studies, const std::string& shown = {});
// The thesis' figures that these studies can show.
std::vector<const FigureKind*> thesisKindsFor(const Studies& studies);
// The metrics that a figure of these studies can show.
std::vector<MetricInfo> metricsFor(const Studies& studies, const std::string& shown);
// "map-L4H2", "depth-ap_drop": without extension.
QString figureFileName(const FigureSpec& spec);

}  // namespace plastiscope
