#pragma once
// List of all figures that can be exported: names, options, sizes. To add one: a function from studies to a
// plot and its numbers, and an entry below it, in one of the *_figures.cpp files.
#include <QString>
#include <functional>
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
  Table data;                            // exactly the plotted numbers
  std::string subject = {};              // "SmolLM2-135M-Instruct, L12H6"; empty = from the studies
  std::string note = {};                 // how published numbers were read, shown in the figure; else empty
  std::string remark = {};               // why another plasticity than the requested one is shown; else ""
  std::vector<std::string> titles = {};  // of the panels, with their heads, for the caption
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
  std::string id = {}, title = {};
  HeadNeed head = HeadNeed::None;
  // Keys of figureOptions() that only some figures take, in the order of `render --list`.
  std::vector<std::string_view> options = {};
  double proportion = 0.618;  // height / width unless a size is given
  double inchesPerModel = 0;  // least height for each of many models that are named beside their lines
  FigureContent (*prepare)(const Studies&, const FigureSpec&) = nullptr;
  // Colour range that fits the data: panels of one metric share the range of all. Null: the range is fixed.
  std::pair<double, double> (*fittedRange)(const Study&, const FigureSpec&) = nullptr;
  StudyCount studies = {};
  bool needsRows = false;                 // captures, not only analyses
  bool needsLosses = false;               // losses in at least one capture
  bool needsTexts = false;                // texts of the capture
  bool needsGroups = false;               // groups of heads
  bool needsDense = false;                // heads captured at every position
  std::string needsTable = {};            // required in every analysis; not all have it
  std::vector<HeadName> usualHeads = {};  // default if no head is given
  bool published = false;                 // also drawn from published numbers without studies
  bool tall = false;                      // has panels itself: may be higher than the text width
  // For a kind with its own panels: maximum number in a row, and their least width.
  int columns = 0;
  double leastPanelInches = 0;
  bool byFamily = false;  // one per family of models
  bool together = false;  // shows several groups or metrics in one panel

  bool takes(std::string_view option) const;
  // True for a figure of one study, which shows several as panels.
  bool isPanelPerStudy(std::size_t studyCount) const;
  // True if it can be drawn from that many studies.
  bool holds(std::size_t studyCount) const;
};

inline constexpr std::size_t kMaxPanels = 12;
// Figure whose panels are separate figures (figure_panels.h), each with its own head, metric and input.
inline constexpr const char* kPageFigure = "page";

const std::vector<FigureKind>& figureKinds();
// The entries of the list, each in the file of its functions.
std::vector<FigureKind> oneStudyFigures();   // one_study_figures.cpp
std::vector<FigureKind> manyStudyFigures();  // many_study_figures.cpp
std::vector<FigureKind> headFigures();       // head_figures.cpp
std::vector<FigureKind> groupFigures();      // group_figures.cpp
// Figures of the thesis (thesis_figures.cpp).
const std::vector<FigureKind>& thesisKinds();
// A kind, or a figure of the thesis; UsageError names the nearest one.
const FigureKind& figureKind(std::string_view id);
// The options that are set in `spec` although the figure does not take them; `use` gets each with its
// default.
void forEachForeignOption(const FigureKind& kind, FigureSpec& spec,
                          const std::function<void(const Option& option, const Option& standard)>& use);
// Adapts a spec to another figure of the same studies: drops a head and options that the kind does not take.
FigureSpec fitToKind(FigureSpec spec, const FigureKind& kind);
// Figures on a page without --parts: those of a head only if the page has one, those that need rows if
// `rows`.
std::vector<std::string> usualPageParts(const FigureSpec& spec, bool rows);
std::size_t partsOf(const FigureKind& kind, const FigureSpec& spec);  // number of panels, by spec.studies
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
