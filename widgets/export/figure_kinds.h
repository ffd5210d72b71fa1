#pragma once
// List of all figures that can be exported. To add one: a function from its data to a plot in core/figures, a
// table of the plotted numbers in core/views, a function in one of the *_figures.cpp files, one line in
// figure_kinds.cpp, a line and baselines in tests/figures.
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

// Content to be drawn or written.
struct FigureContent {
  Plot plot;
  Table data;               // exactly the plotted numbers
  std::string subject;      // "SmolLM2-135M-Instruct, L12H6"; empty = from the studies
  std::string note = {};    // how published numbers were read, shown in the figure; else empty
  std::string remark = {};  // why another plasticity than the requested one is shown; else ""
};

// Figure with its numbers computed.
struct PreparedFigure {
  FigureSpec spec;
  FigureContent content;
};

using Studies = std::vector<std::shared_ptr<const Study>>;  // none is null

// Number of studies in a figure. 0: can be drawn from shipped data.
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
  bool needsRows = false;                 // captures, not only analyses
  std::vector<HeadName> usualHeads = {};  // default if no head is given
  bool published = false;                 // also drawn from published numbers without studies
  bool tall = false;                      // has panels itself: may be higher than the text width
  // For a kind with its own panels: maximum number in a row, and their least width.
  int columns = 0;
  double leastPanelInches = 0;
  bool byFamily = false;        // one per family of models
  bool needsLosses = false;     // losses in at least one capture
  bool needsTexts = false;      // texts of the capture
  std::string needsTable = {};  // required in every analysis; not all have it

  bool takes(FigureOption option) const;
  // True if it can be drawn from that many studies. A figure of one study shows several as panels.
  bool holds(std::size_t studyCount) const;
};

inline constexpr std::size_t kMaxPanels = 12;

const std::vector<FigureKind>& figureKinds();
// A kind, or a figure of the thesis (thesis_figures.h); UsageError names the nearest one.
const FigureKind& figureKind(std::string_view id);
// Adapts a spec to another figure of the same studies: drops a head and options that the kind does not take.
FigureSpec fitToKind(FigureSpec spec, const FigureKind& kind);
// Checks the spec against the kind and the studies, then prepares. UsageError, InputError.
FigureContent prepareFigure(const Studies& studies, const FigureSpec& spec);

// Plasticity shown in a figure of these studies.
ShownPlasticity shownPlasticity(const Studies& studies, const FigureSpec& spec);

// Columns of a kind with its own panels at this width; 0 = no own panels, or set in the spec.
int columnsOf(const FigureKind& kind, const FigureSpec& spec);
// Adds to the spec the facts about the studies that determine its size.
FigureSpec sizedFor(FigureSpec spec, const Studies& studies);

struct FigureSize {
  double widthInches = 0, heightInches = 0, labelPoints = 9, tickPoints = 7, numberPoints = 6.5;
};
FigureSize resolveSize(const FigureSpec& spec);
// Space for the tokens of figure text, for a font of that many points.
PageRoom excerptRoom(const FigureSize& size, double points);

// --- Figures of a tab, and file names -------------------------------------------------------------------

// Figures for these studies, in the order of the list. Figures that need no study are included only if one of
// them is `shown`. Scatters need rows.
std::vector<const FigureKind*> figuresFor(const Studies& studies, const std::string& shown = {});
// The thesis' figures that these studies can show.
std::vector<const FigureKind*> thesisKindsFor(const Studies& studies);
// Metrics for a figure of these studies.
std::vector<MetricInfo> metricsFor(const Studies& studies, const std::string& shown);
// "map-L4H2", "depth-ap_drop": without extension.
QString figureFileName(const FigureSpec& spec);

}  // namespace plastiscope
