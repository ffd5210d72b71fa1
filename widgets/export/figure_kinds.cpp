#include "widgets/export/figure_kinds.h"

#include <algorithm>
#include <set>

#include "core/analysis/row_choice.h"
#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/compare/benchmark_data.h"
#include "core/compare/drift.h"
#include "core/compare/published_figures.h"
#include "core/compare/reference_data.h"
#include "widgets/export/figure_makers.h"
#include "widgets/export/figure_panels.h"
#include "widgets/export/thesis_figures.h"

namespace plastiscope {

namespace {

std::vector<FigureKind> allKinds() {
  using enum HeadNeed;
  using enum FigureOption;
  constexpr StudyCount kOne, kTwo{2, 2}, kSeveral{2, kMaxCompared}, kMany{2, kMaxNamed}, kAny{1, kMaxNamed};
  constexpr bool kRows = true;
  using Takes = std::vector<FigureOption>;
  // id, title, head, options, height / width, how it is made, studies, needs rows
  std::vector<FigureKind> kinds = {
      FigureKind{"ab-scatter", "{a, b} plane", Required, Takes{Colour}, 0.78, ofOne<abScatterFigure>, kOne,
                 kRows},
      FigureKind{"pca-scatter", "PC0 and PC1", Required, Takes{Colour}, 0.78, ofOne<pcaScatterFigure>, kOne,
                 kRows},
      FigureKind{"profile", "Profile", Optional,
                 Takes{Layer, MeanOf, Range, Reference, Axis, Intervals, Plasticity}, 0.5,
                 ofOne<profileFigure>},
      FigureKind{"profile-quintiles", "Profile and quintiles", Optional,
                 Takes{Layer, MeanOf, Range, Reference, Axis, Intervals, Plasticity}, 0.8,
                 ofOne<profileAndQuintilesFigure>},
      FigureKind{"quintiles", "Quintiles", Optional,
                 Takes{Layer, MeanOf, Range, Reference, Intervals, Plasticity}, 0.382,
                 ofOne<quintilesFigure>},
      FigureKind{"map", "Plasticity map", Optional, Takes{Layer, MeanOf, Range, Plasticity}, 0.8125,
                 ofOne<mapFigure>},
      FigureKind{"placement", "Placement and content", Optional, Takes{Layer, MeanOf, Range}, 0.8125,
                 ofOne<placementFigure>},
      FigureKind{"salience", "Position and salience", Optional, Takes{Layer, MeanOf, Range}, 0.6,
                 ofOne<salienceFigure>},
      FigureKind{"components", "Principal components", Optional, Takes{Layer, MeanOf}, 0.75,
                 ofOne<componentsFigure>},
      FigureKind{"component-weights", "Component weights", Optional, Takes{Layer, MeanOf}, 0.4,
                 ofOne<weightsFigure>},
      FigureKind{"head-grid", "Head grid", None, Takes{Metric, Range, GridOrder, GridShow, Plasticity}, 0.8,
                 ofOne<headGridFigure>},
      FigureKind{"depth", "Metric by layer", None, Takes{Metric, Range, Reference, Intervals, Plasticity},
                 0.5, ofOne<depthFigure>},
      FigureKind{"taxonomy", "Taxonomy", None, Takes{Layer}, 0.85, ofOne<taxonomyFigure>},
      FigureKind{"head-metrics", "Heads on free axes", None, Takes{Metric, Against, ColourMetric, Plasticity},
                 0.75, ofOne<headMetricsFigure>},
      FigureKind{"compare", "Profiles of models", Optional,
                 Takes{Range, Names, Order, Axis, Published, Intervals, Plasticity}, 0.95, compareFigure,
                 kSeveral},
      FigureKind{"compare-matrix",
                 "Matrix of captures",
                 Optional,
                 Takes{Metric, Names, Order, Axis, Rows, Differences, Matching, OfHead, Plasticity},
                 2.5,
                 compareMatrixFigure,
                 kSeveral,
                 false,
                 {},
                 false,
                 true},
      FigureKind{"head-difference", "Difference of two head grids", None,
                 Takes{Metric, Range, Names, Plasticity}, 0.8, headDifferenceFigure, kTwo},
      FigureKind{"map-difference", "Difference of two maps", Optional, Takes{Range, Names, Plasticity},
                 0.8125, mapDifferenceFigure, kTwo},
      FigureKind{"drift", "Drift of vectors", None, Takes{Metric, Range, Names}, 0.5, driftFigure, kTwo,
                 kRows},
      FigureKind{"loss", "Loss by position", None, Takes{Range, Names, Order}, 0.8, lossFigure, kAny},
      FigureKind{"trajectory", "Trajectory of models", None,
                 Takes{Metric, Range, Names, Order, Published, Intervals, Plasticity}, 0.7, trajectoryFigure,
                 kMany},
      FigureKind{"signal", "Signal of models", None, Takes{Range, Names, Order, Intervals}, 0.5, signalFigure,
                 kMany},
      FigureKind{"compare-depth", "Models by depth", None,
                 Takes{Metric, Range, Names, Order, Published, Intervals, Plasticity}, 0.5,
                 compareDepthFigure, kSeveral},
      FigureKind{"compare-taxonomy", "Classes of models", None, Takes{Names, Order}, 0.45,
                 compareTaxonomyFigure, kMany},
      FigureKind{"benchmark", "Benchmark", None, Takes{Metric, Range, Names, Order, Scores, Group}, 0.618,
                 benchmarkFigure, StudyCount{0, kMaxOwn}},
      FigureKind{"compare-variance", "Variance of models", None, Takes{Names, Order}, 0.45,
                 compareVarianceFigure, kMany},
      FigureKind{"compare-bars", "Metric of models", None,
                 Takes{Metric, Range, Names, Order, Intervals, Plasticity}, 0.5, modelBarsFigure, kMany},
      FigureKind{"compare-signal", "Signal on a", None, Takes{Range, Names, Order, Intervals}, 0.5,
                 signalBarsFigure, kMany},
      FigureKind{"depth-map", "Models by depth, map", None, Takes{Metric, Range, Names, Order, Plasticity},
                 0.55, depthMapFigure, kAny},
      FigureKind{"head-scatter", "Heads of models", None, Takes{Metric, Against, Panels, Names, Order}, 0.85,
                 headScatterFigure, kAny},
      FigureKind{"density", "Spread over heads", None, Takes{Metric, Panels, Names, Order, Plasticity}, 0.6,
                 densityFigure, kAny},
      FigureKind{"component-signal", "Signal by component", Optional, Takes{Layer, Range}, 0.5,
                 componentSignalFigure, kAny},
      FigureKind{"component-variance", "Variance by component", Optional, Takes{Layer, Range}, 0.5,
                 componentVarianceFigure, kAny},
      FigureKind{"text", "Text", Required, Takes{Text, FirstToken, Tokens, Query, TokenColour, TokenRows},
                 0.7, ofOne<textFigure>, kOne, kRows},
      FigureKind{"keys", "Keys of a query", Required, Takes{Text, Query}, 1.12, ofOne<keysFigure>, kOne,
                 kRows},
      FigureKind{kPageFigure, "Page of panels", Optional,
                 Takes{Parts, Names, Intervals, Colour, Text, FirstToken, Tokens, Query, TokenColour,
                       TokenRows, Plasticity},
                 0.78, nullptr, kAny},
      FigureKind{
          "complement", "Pairs outside the plane", Required, {}, 0.92, ofOne<complementFigure>, kOne, kRows},
  };
  for (FigureKind& kind : kinds) {
    const bool noHeads =
        kind.needsRows || kind.id == "benchmark" || kind.id == "loss" || kind.id == kPageFigure;
    if (!noHeads && kind.takes(FigureOption::Names)) kind.options.push_back(FigureOption::CommonHeads);
  }
  std::ranges::find(kinds, "loss", &FigureKind::id)->needsLosses = true;
  std::ranges::find(kinds, "text", &FigureKind::id)->needsTexts = true;
  for (const char* id : {"placement", "salience"})
    std::ranges::find(kinds, id, &FigureKind::id)->needsTable = id;
  return kinds;
}

void requireFits(const FigureKind& kind, const FigureSpec& spec) {
  const bool named = spec.scope.head || !spec.heads.empty();
  if (kind.head == HeadNeed::Required && !named && kind.usualHeads.empty()) {
    throw UsageError("figure " + kind.id + " shows one head: name it with --head L12H6");
  }
  if (kind.head == HeadNeed::None && named)
    throw UsageError("figure " + kind.id + " shows all heads: it takes no --head");
  for (const FigureOption option : givenOptions(spec)) {
    if (!kind.takes(option)) throw UsageError("figure " + kind.id + " takes no " + flagOf(option));
  }
  if (named && spec.scope.layer) throw UsageError("--head and --layer contradict each other");
  if (!spec.scope.several.empty() && (named || spec.scope.layer))
    throw UsageError(
        "--mean-of selects the heads of the figure: it cannot be combined with --head or --layer");
}

// Published numbers of models are means without heads.
void requireHeads(const FigureKind& kind, const Studies& studies) {
  if (studies.empty() || kind.studies.fewest > 1 || kind.prepare == nullptr) return;
  if (!std::ranges::all_of(studies, [](const auto& study) { return publishedIdOf(study->file).has_value(); }))
    return;
  const std::string id = *publishedIdOf(studies.front()->file);
  const std::vector<AtlasEntry> atlas = publishedAtlas();
  const auto entry = std::ranges::find(atlas, id, [](const AtlasEntry& each) { return each.model.id; });
  throw InputError("figure " + kind.id + " shows single heads, but of " + studies.front()->title +
                   " only means are published" +
                   (entry == atlas.end() ? "" : " (" + joined(entry->shown) + ")") +
                   "; give a capture of the model, or compare the means with other models" +
                   (kind.published ? "; without inputs the published part of the figure is drawn" : ""));
}

void requireStudies(const FigureKind& kind, const Studies& studies) {
  if (!kind.holds(studies.size()))
    throw UsageError("figure " + kind.id + " shows " + kind.studies.text() + ", found " +
                     std::to_string(studies.size()));
  requireHeads(kind, studies);
  for (const auto& study : studies) {
    if (kind.needsRows && study->capture == nullptr)
      throw InputError("figure " + kind.id + " needs the captured rows, but only their analysis was found");
  }
}

std::string scopeOf(const FigureSpec& spec) {
  return spec.heads.empty() ? spec.scope.text() : joined(spec.heads, &HeadName::text);
}

std::string subjectOf(const Studies& studies, const FigureSpec& spec) {
  if (studies.empty()) return "the thesis";
  if (studies.size() == 1) {
    const std::string rows = textOf(rowChoiceOf(settingsOf(*studies.front()->analysis)));
    return factsOf(*studies.front()).model + ", " + scopeOf(spec) + (rows.empty() ? "" : ", " + rows);
  }
  return joined(studies, [](const auto& study) { return study->title; });
}

}  // namespace

std::string StudyCount::text() const {
  if (most == 0) return "no capture or analysis";
  if (fewest == 0 && most == 1) return "at most one capture or analysis";
  if (fewest == 1 && most == 1) return "one capture or analysis";
  const std::string last = std::to_string(most) + " captures or analyses";
  return fewest == 0 ? "up to " + last : fewest == most ? last : std::to_string(fewest) + " to " + last;
}

bool FigureKind::takes(FigureOption option) const {
  return std::find(options.begin(), options.end(), option) != options.end();
}

bool FigureKind::holds(std::size_t studyCount) const {
  if (studyCount == 0 && published) return true;
  return studies.holds(studyCount) || (studies.most == 1 && studyCount > 1 && studyCount <= kMaxPanels);
}

const std::vector<FigureKind>& figureKinds() {
  static const std::vector<FigureKind> kinds = allKinds();
  return kinds;
}

const FigureKind& figureKind(std::string_view id) {
  std::vector<std::string> known;
  // In sequence: the second list is made from the first.
  for (const auto list : {figureKinds, thesisKinds}) {
    for (const FigureKind& kind : list()) {
      if (kind.id == id) return kind;
      known.push_back(kind.id);
    }
  }
  const std::string name(id), near = nearestName(name, known);
  throw UsageError("unknown figure \"" + name + "\"" + (near.empty() ? "" : "; did you mean " + near + "?") +
                   " (plastiscope render --list names all)");
}

FigureSpec fitToKind(FigureSpec spec, const FigureKind& kind) {
  spec.figure = kind.id;
  const bool mean = !spec.scope.several.empty() && kind.takes(FigureOption::MeanOf);
  if (kind.head == HeadNeed::None || (kind.head == HeadNeed::Optional && (spec.scope.layer || mean))) {
    spec.scope.head.reset();
    spec.heads.clear();
  }
  for (const FigureOption option : givenOptions(spec)) {
    if (!kind.takes(option)) forget(spec, option);
  }
  return spec;
}

namespace {

std::vector<const AnalysisFile*> ownAnalyses(const Studies& studies) {
  std::vector<const AnalysisFile*> own;
  for (const auto& study : studies) {
    if (!publishedIdOf(study->file)) own.push_back(study->analysis.get());
  }
  return own;
}

// For figures of metrics or several studies; profiles and maps of one study show the note themselves.
std::string excessOf(const FigureKind& kind, const Studies& studies, const FigureSpec& spec) {
  const bool ofMetric = kind.takes(FigureOption::Metric);
  if (!kind.takes(FigureOption::Plasticity) || (!ofMetric && kind.studies.most == 1)) return "";
  const std::string metric =
      ofMetric && !spec.metric.empty() ? spec.metrics().front() : columnAs(spec.plasticity, "ap_overall");
  if (columnAs(ApKind::Aligned, metric) == metric) return "";
  return excessNote(ownAnalyses(studies));
}

}  // namespace

FigureContent prepareFigure(const Studies& studies, const FigureSpec& asked) {
  const FigureKind& kind = figureKind(asked.figure);
  asked.validate();
  const ShownPlasticity plasticity = shownPlasticity(studies, asked);
  FigureSpec spec = asked;
  if (kind.takes(FigureOption::Plasticity)) spec.plasticity = plasticity.kind;
  const bool beside = plasticity.note == kPublishedAreBinned;
  if (beside) spec.metric = columnAs(plasticity.kind, spec.metric);
  requireFits(kind, spec);
  requireStudies(kind, studies);
  std::vector<ContentPanel> panels;
  for (const FigurePart& part : figureParts(kind, studies, spec)) {
    requireFits(*part.kind, part.spec);
    requireStudies(*part.kind, part.studies);
    panels.push_back({part.title, part.kind->prepare(part.studies, part.spec)});
  }
  const bool several = panels.size() > 1;
  FigureContent content = composePanels(std::move(panels), {spec.columns, true, {}, kind.id == kPageFigure});
  if (several || content.subject.empty()) content.subject = subjectOf(studies, spec);
  for (const std::string& note : {beside ? plasticity.note : std::string(), excessOf(kind, studies, spec)}) {
    if (note.empty()) continue;
    content.plot.legend.push_back(textEntry(note));
    content.plot.oneLine = false;
  }
  content.remark = plasticity.note;
  return content;
}

ShownPlasticity shownPlasticity(const Studies& studies, const FigureSpec& spec) {
  if (!figureKind(spec.figure).takes(FigureOption::Plasticity)) return {ApKind::Binned, ""};
  const auto own = ownAnalyses(studies);
  const bool published = spec.published || !spec.reference.empty() || own.size() < studies.size();
  return shownPlasticity(own, spec.plasticity, published);
}

namespace {

constexpr double kHighest = 4.2, kHighestOfPanels = 8.4;  // inches, unless a size is given
constexpr double kBelowEachOther = 0.75;  // stacked panels with a shared axis need less height

double widthInches(const FigureSpec& spec) {
  const VenuePreset& venue = venuePreset(spec.preset);
  const double share = spec.width == FigureWidth::Half    ? 0.5
                       : spec.width == FigureWidth::Third ? 1.0 / 3
                                                          : 1.0;
  if (spec.widthInches > 0) return spec.widthInches;
  return spec.width == FigureWidth::Column ? venue.columnInches : venue.textInches * share;
}

// Proportion of a kind with its own panels, for the columns and rows at this size.
double ownProportion(const FigureKind& kind, const FigureSpec& spec) {
  if (kind.columns == 0 || spec.columns > 0) return kind.proportion;
  const int columns = columnsOf(kind, spec);
  if (columns < kind.columns)  // stacked, with labels only on the last one
    return kind.proportion * kBelowEachOther * kind.columns / columns;
  const auto families = static_cast<int>(kind.byFamily ? spec.families : 1);
  return kind.proportion * std::max(1, (families + columns - 1) / columns);
}

// Height / width of the whole figure.
double proportionOf(const FigureKind& kind, const FigureSpec& spec) {
  const bool usual = spec.heads.empty() && !spec.scope.head && !kind.usualHeads.empty();
  const auto [columns, rows] =
      panelGrid(partsOf(kind, spec) * (usual ? kind.usualHeads.size() : 1), spec.columns);
  // Narrow panels are taller: titles and labels need the same space in all.
  const double panelInches = widthInches(spec) / columns;
  const double least = columns > 1 ? 0.6 + 0.15 * columns + std::max(0.0, 0.6 - 0.3 * panelInches) : 0;
  return std::max(ownProportion(kind, spec), least) * rows / columns;
}

// Space around a text, in em and in points.
constexpr double kLegendLineEms = 1.5, kLegendEms = 85, kGutterEms = 3.5, kTokenEms = 3;
constexpr double kBesidePoints = 48, kAroundPoints = 8;  // beside: the colour bar

double legendPoints(double ems, double points) {
  return std::ceil(kLegendEms / ems) * kLegendLineEms * points;
}

double heightOfTokens(std::int64_t tokens, const FigureSize& size) {
  const double ems = excerptRoom(size, size.tickPoints).ems;
  const double lines = std::ceil(static_cast<double>(tokens) * kTokenEms / ems) + 1;
  return (lines * kExcerptLineEms * size.tickPoints + legendPoints(ems, size.tickPoints) + kAroundPoints) /
         72;
}

}  // namespace

PageRoom excerptRoom(const FigureSize& size, double points) {
  PageRoom room;
  room.ems = std::max(8.0, (size.widthInches * 72 - kBesidePoints) / points - kGutterEms);
  const double height = size.heightInches * 72 - legendPoints(room.ems, points) - kAroundPoints;
  room.lines = static_cast<std::size_t>(std::max(1.0, height / (kExcerptLineEms * points)));
  return room;
}

int columnsOf(const FigureKind& kind, const FigureSpec& spec) {
  if (kind.columns == 0 || kind.leastPanelInches <= 0) return kind.columns;
  const int fitting = static_cast<int>(widthInches(spec) / kind.leastPanelInches);
  return fitting >= kind.columns ? kind.columns : 1;  // avoids a row with an empty place
}

FigureSpec sizedFor(FigureSpec spec, const Studies& studies) {
  std::set<std::string> families;
  for (const auto& study : studies) families.insert(familyTitle(factsOf(*study).architecture));
  spec.studies = std::max<std::size_t>(1, studies.size());
  spec.families = std::max<std::size_t>(1, families.size());
  return spec;
}

FigureSize resolveSize(const FigureSpec& spec) {
  const VenuePreset& venue = venuePreset(spec.preset);
  const FigureKind& kind = figureKind(spec.figure);
  FigureSize size;
  size.widthInches = widthInches(spec);
  // Titles are one point smaller than the caption, ticks two smaller than titles, nothing is below 6 pt.
  size.labelPoints =
      spec.fontPoints > 0 ? spec.fontPoints : std::max(6.0, std::min(9.0, venue.captionPoints - 1));
  size.tickPoints = std::max(6.0, size.labelPoints - 2);
  size.numberPoints = std::max(6.0, size.tickPoints - 0.5);
  size.heightInches = spec.heightInches > 0 ? spec.heightInches
                      : kind.needsTexts && spec.tokens > 0 && partsOf(kind, spec) == 1
                          ? std::min(kHighestOfPanels, heightOfTokens(spec.tokens, size))
                          : std::min(partsOf(kind, spec) > 1 || kind.tall ? kHighestOfPanels : kHighest,
                                     size.widthInches * proportionOf(kind, spec));
  return size;
}

// --- Figures of a tab -----------------------------------------------------------------------------------

namespace {

bool haveRows(const Studies& studies) {
  return std::all_of(studies.begin(), studies.end(),
                     [](const auto& study) { return study->capture != nullptr; });
}

bool haveLosses(const Studies& studies) {
  return std::ranges::any_of(studies,
                             [](const auto& study) { return study->analysis->find("loss") != nullptr; });
}

bool haveTable(const Studies& studies, const std::string& table) {
  return table.empty() || std::ranges::all_of(studies, [&](const auto& study) {
           return study->analysis->rowsOfTables().contains(table);
         });
}

bool haveTexts(const Studies& studies) {
  return std::ranges::all_of(
      studies, [](const auto& study) { return study->capture != nullptr && study->capture->hasTexts(); });
}

bool standsApart(const Studies& studies, const std::string& shown) {
  return studies.empty() || (!shown.empty() && figureKind(shown).studies.fewest == 0);
}

}  // namespace

std::vector<const FigureKind*> figuresFor(const Studies& studies, const std::string& shown) {
  const bool apart = standsApart(studies, shown), rows = haveRows(studies);
  std::vector<const FigureKind*> kinds;
  for (const FigureKind& kind : figureKinds()) {
    const bool fits = kind.studies.holds(studies.size()) && (kind.studies.fewest == 0) == apart;
    if (fits && (rows || !kind.needsRows) && (!kind.needsLosses || haveLosses(studies)) &&
        (!kind.needsTexts || haveTexts(studies)) && haveTable(studies, kind.needsTable))
      kinds.push_back(&kind);
  }
  return kinds;
}

std::vector<const FigureKind*> thesisKindsFor(const Studies& studies) {
  const bool rows = haveRows(studies);
  std::vector<const FigureKind*> kinds;
  for (const FigureKind& kind : thesisKinds()) {
    if (kind.holds(studies.size()) && (rows || !kind.needsRows)) kinds.push_back(&kind);
  }
  return kinds;
}

std::vector<MetricInfo> metricsFor(const Studies& studies, const std::string& shown) {
  if (standsApart(studies, shown)) return benchmarkPredictors();
  if (shown == "drift") {
    std::vector<MetricInfo> measures;
    for (const DriftMeasure& measure : driftMeasures()) {
      MetricInfo info;
      info.column = measure.column;
      info.title = info.label = measure.title;
      info.unit = measure.unit;
      measures.push_back(std::move(info));
    }
    return measures;
  }
  return metricsOf(requiredTable(*studies.front()->analysis, "heads"));
}

QString figureFileName(const FigureSpec& spec) {
  QString name = QString::fromStdString(spec.figure);
  if (!spec.heads.empty())
    for (const HeadName& head : spec.heads) name += "-" + QString::fromStdString(head.text());
  else if (spec.scope.head)
    name += "-" + QString::fromStdString(spec.scope.head->text());
  if (spec.scope.layer) name += QStringLiteral("-L%1").arg(*spec.scope.layer);
  if (!spec.scope.several.empty()) name += QStringLiteral("-%1-heads").arg(spec.scope.several.size());
  if (figureKind(spec.figure).takes(FigureOption::Metric) && !spec.metric.empty())
    name += "-" + QString::fromStdString(spec.metric).replace(',', '-');
  return name;
}

}  // namespace plastiscope
