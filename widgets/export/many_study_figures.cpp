// Figures of several studies, and of the heads of one or more.
#include <algorithm>
#include <set>
#include <tuple>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/compare/benchmark_data.h"
#include "core/compare/compare_matrix.h"
#include "core/compare/compared_profiles.h"
#include "core/compare/drift.h"
#include "core/compare/head_distributions.h"
#include "core/compare/model_series.h"
#include "core/figures/figures.h"
#include "core/figures/matrix_figures.h"
#include "core/jobs/compare_job.h"
#include "core/views/figure_tables.h"
#include "core/views/head_interval.h"
#include "widgets/export/study_figures.h"

namespace plastiscope {

Table shownColumns(Table table, const FigureSpec& spec) {
  return spec.intervals ? std::move(table) : withoutIntervals(std::move(table));
}

Comparison comparisonOf(const Studies& studies, const FigureSpec& spec) {
  if (!spec.names.empty() && spec.names.size() != studies.size())
    throw UsageError("expected one name per input, found " + std::to_string(spec.names.size()) +
                     " names for " + std::to_string(studies.size()) + " inputs");
  if (!spec.looks.empty() && spec.looks.size() != studies.size())
    throw UsageError("expected one look per input, found " + std::to_string(spec.looks.size()) +
                     " looks for " + std::to_string(studies.size()) + " inputs");
  std::vector<ComparisonInput> inputs;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const Study& study = *studies[i];
    inputs.push_back({spec.names.empty() ? "" : spec.names[i], study.file.empty() ? study.title : study.file,
                      study.analysis});
    if (!spec.looks.empty()) inputs.back().look = spec.looks[i];
  }
  ComparisonOptions options;
  options.plasticity = spec.plasticity;
  options.commonHeads = spec.commonHeads;
  if (!spec.groups.empty()) {
    const HeadGroups groups = groupsOf(*studies.front(), spec);
    if (groups.size() > 1)
      throw UsageError("a comparison shows the heads of one group, found " + std::to_string(groups.size()));
    options.group = groups.front();
  }
  Comparison comparison = makeComparison(inputs, options);
  sortModels(comparison, spec.order);
  return comparison;
}

FigureContent barsContent(const BarData& data, const FigureSpec& spec, std::string subject) {
  return {barsPlot(data, spec.range, spec.intervals), shownColumns(tableOf(data), spec), std::move(subject),
          data.published};
}

FigureContent depthMapContent(const DepthMapData& data, const FigureSpec& spec, std::string subject) {
  return {depthMapPlot(data, spec.range), tableOf(data), std::move(subject), data.published};
}

namespace {

// The names of the models.
std::string comparedSubject(const Comparison& comparison) {
  return joined(comparison.models, &ComparedModel::name);
}

// The metric of the spec, or AP over all bins of the shown kind.
std::string apMetric(const Comparison& comparison, const FigureSpec& spec) {
  return spec.metric.empty() ? columnAs(comparison.plasticity.kind, "ap_overall") : spec.metric;
}

// Adapts a function of a comparison to an entry of the list.
template <FigureContent (*figure)(const Comparison&, const FigureSpec&)>
FigureContent compared(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  FigureContent content = figure(comparison, spec);
  if (content.subject.empty()) content.subject = comparedSubject(comparison);
  return content;
}

// Error if requested published numbers do not exist.
void requirePublished(const ComparedProfiles& data, const FigureSpec& spec) {
  if (spec.published && std::all_of(data.models.begin(), data.models.end(),
                                    [](const ComparedProfile& profile) { return profile.published.empty(); }))
    throw UsageError("no profile of any of these models was published");
}

std::string orDefault(const std::string& name, const char* usual) {
  return name.empty() ? usual : name;
}

// The values of the first axis of a plot, for panels that show parts of its data.
ValueRange rangeOf(const Plot& plot) {
  const Axis& axis = plot.boxes.front().y;
  return std::pair(axis.low, axis.high);
}

// One plot of all models, or one panel per family; the table covers all.
template <typename Data, typename MakePlot>
FigureContent familyPanels(const Data& data, const FigureSpec& spec, const MakePlot& plot) {
  if (spec.panels == PanelsOf::Usual) return {plot(data), tableOf(data)};
  std::vector<PanelPlot> panels;
  for (const Data& family : splitByFamily(data))
    panels.push_back({familyTitle(family.models.front().model.family), plot(family)});
  PanelOptions options;
  options.columns = spec.columns;
  return {composePlots(std::move(panels), options), tableOf(data)};
}

// Published numbers are means and have no single heads.
void requireHeads(bool any, const FigureSpec& spec) {
  if (!any)
    throw InputError("figure " + spec.figure +
                     " shows single heads, but none of these inputs has values of single heads");
}

ComponentsData componentsOf(const Studies& studies, const FigureSpec& spec) {
  std::vector<const AnalysisFile*> analyses;
  for (const auto& study : studies) analyses.push_back(study->analysis.get());
  return poolComponents(analyses, spec.scope);
}

FigureContent compareFigure(const Comparison& comparison, const FigureSpec& spec) {
  const ComparedProfiles data = compareProfiles(comparison, spec.scope.head, spec.published);
  requirePublished(data, spec);
  const bool families = spec.panels == PanelsOf::Family;
  CompareOptions options{families ? CompareParts::Profiles : CompareParts::Both,
                         spec.axis.value_or(PositionAxis::Share), spec.range, spec.intervals};
  ComparedProfiles shown = data;
  if (families) {
    options.range = rangeOf(comparePlot(data, options));
    std::erase_if(shown.models, [](const auto& model) { return !anyFinite(model.mean); });
  }
  FigureContent content =
      familyPanels(shown, spec, [&](const ComparedProfiles& part) { return comparePlot(part, options); });
  content.data = shownColumns(std::move(content.data), spec);
  content.subject = comparedSubject(comparison) + (spec.scope.head ? ", " + spec.scope.text() : "");
  return content;
}

MatrixRow matrixRowNamed(const std::string& name) {
  for (const MatrixRow row : kMatrixRows) {
    if (name == nameOf(row)) return row;
  }
  throw UsageError("the matrix has no row \"" + name + "\"" + didYouMean(name, namesOf(MatrixRow())));
}

std::set<MatrixRow> matrixRowsNamed(const std::vector<std::string>& names) {
  std::set<MatrixRow> rows;
  for (const std::string& name : names) rows.insert(matrixRowNamed(name));
  return rows;
}

// The studies of the models in a comparison, in its order.
Studies studiesOf(const Comparison& comparison, const Studies& studies) {
  Studies ordered;
  for (const ComparedModel& model : comparison.models) {
    const auto found =
        std::ranges::find_if(studies, [&](const auto& study) { return study->analysis == model.whole; });
    ordered.push_back(*found);
  }
  return ordered;
}

FigureContent compareMatrixFigure(const Studies& studies, const FigureSpec& spec) {
  Comparison comparison = comparisonOf(studies, spec);
  comparison.matching = spec.matching;
  MatrixChoice choice;
  if (!spec.rows.empty()) choice.rows = matrixRowsNamed(spec.rows);
  choice.differences = matrixRowsNamed(spec.differences);
  choice.metric = apMetric(comparison, spec);
  choice.tokens = spec.axis == PositionAxis::Tokens;
  choice.head = spec.scope.head;
  choice.ofHead = spec.ofHead;
  const CompareMatrix matrix = makeMatrix(comparison, studiesOf(comparison, studies), choice);
  return {matrixPlot(matrix, 72 * resolveSize(spec).widthInches), tableOf(matrix),
          comparedSubject(comparison)};
}

std::string differenceSubject(const Comparison& comparison) {
  return comparison.models[1].name + " \u2212 " + comparison.models[0].name;
}

void requireCapture(const Study& study) {
  if (study.capture == nullptr)
    throw InputError("figure drift needs the captured rows of both inputs, but of " + study.title +
                     " only the analysis was found");
}

FigureContent headDifferenceFigure(const Comparison& comparison, const FigureSpec& spec) {
  const ComparedGrids grids = compareGrids(comparison, apMetric(comparison, spec));
  const auto &first = grids.grids[0], &other = grids.grids[1];
  const auto difference = first && other ? differenceGrid(*first, *other) : nullptr;
  if (difference == nullptr)
    throw InputError(
        "the two inputs differ in the number of layers or heads, or lack the metric: there is no difference "
        "head by head");
  return {headGridPlot(*difference, {spec.range}), tableOf(*difference), differenceSubject(comparison)};
}

FigureContent mapDifferenceFigure(const Comparison& comparison, const FigureSpec& spec) {
  ComparedMaps maps;
  for (const ComparedModel& model : comparison.models) {
    const auto head = spec.scope.head ? matchedHead(comparison.models.front(), *spec.scope.head, model,
                                                    headMatchingOf(comparison))
                                      : std::nullopt;
    maps.push_back(comparedMap(model, head, spec.scope.head.has_value(), spec.plasticity));
  }
  const auto difference = maps[0] && maps[1] ? differenceMap(*maps[0], *maps[1]) : nullptr;
  if (difference == nullptr)
    throw InputError(
        "the windows or map cells of the two inputs differ, or one has no map: there is no difference");
  if (difference->isEmpty())
    throw InputError("no cell of the map has key pairs in both inputs: there is no difference");
  const MapOptions options{spec.range.value_or(std::pair{-difference->reach, difference->reach}), false,
                           true};
  return {mapPlot(difference->map, options), tableOf(difference->map), differenceSubject(comparison)};
}

FigureContent driftFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  for (const auto& study : studies) requireCapture(*study);
  Progress quiet;
  const std::vector<HeadDrift> drift =
      measureDrift(studies[0]->capture->path(), studies[1]->capture->path(), 0, quiet);
  const StudyFacts facts = factsOf(*studies[0]);
  std::vector<PanelPlot> panels;
  for (const auto& [kind, title, heads] :
       {std::tuple("query", "queries", facts.queryHeads), std::tuple("key", "keys", facts.keyHeads)}) {
    DriftChoice choice;
    choice.kind = kind;
    if (!spec.metric.empty()) choice.column = spec.metric;
    panels.push_back({title, headGridPlot(driftGrid(drift, choice, facts.layers, heads), {spec.range})});
  }
  PanelOptions options;
  options.columns = 2;
  const ComparedLosses losses = compareLosses(comparison);
  options.note = perplexityChange(losses.models[0], losses.models[1]);
  return {composePlots(std::move(panels), options), driftHeadsTable(drift), differenceSubject(comparison)};
}

FigureContent lossFigure(const Comparison& comparison, const FigureSpec& spec) {
  const ComparedLosses data = compareLosses(comparison);
  if (data.baseline() == nullptr)
    throw UsageError("figure loss shows losses, but none of the inputs was captured with --loss");
  return {lossPlot(data, spec.range), tableOf(data)};
}

FigureContent trajectoryFigure(const Comparison& comparison, const FigureSpec& spec) {
  const bool thesis = spec.metric.empty();
  std::vector<std::string> metrics = thesis ? checkpointMetrics() : std::vector<std::string>{spec.metric};
  for (std::string& metric : metrics) {
    if (thesis) metric = columnAs(spec.plasticity, metric);
  }
  const TrajectoryData data = makeTrajectory(comparison, metrics, spec.published);
  return {(thesis ? checkpointsPlot : trajectoryPlot)(data, spec.range, spec.intervals),
          shownColumns(tableOf(data), spec)};
}

FigureContent compareDepthFigure(const Comparison& comparison, const FigureSpec& spec) {
  const ComparedDepths data = compareDepths(comparison, apMetric(comparison, spec), spec.published);
  ValueRange range = spec.range;
  if (spec.panels == PanelsOf::Family) range = rangeOf(comparedDepthsPlot(data, range, spec.intervals));
  FigureContent content = familyPanels(data, spec, [&](const ComparedDepths& part) {
    return comparedDepthsPlot(part, range, spec.intervals);
  });
  content.data = shownColumns(std::move(content.data), spec);
  return content;
}

FigureContent compareTaxonomyFigure(const Comparison& comparison, const FigureSpec&) {
  const ComparedShares data = compareTaxonomy(comparison);
  return {comparedSharesPlot(data), tableOf(data)};
}

FigureContent compareVarianceFigure(const Comparison& comparison, const FigureSpec&) {
  const ComparedShares data = compareVariance(comparison);
  return {comparedSharesPlot(data), tableOf(data)};
}

FigureContent headScatterFigure(const Comparison& comparison, const FigureSpec& spec) {
  const auto data =
      makeHeadScatter(comparison, orDefault(spec.against, "r_q"), orDefault(spec.metric, "r_k"));
  requireHeads(data.heads() > 0, spec);
  return familyPanels(data, spec, headScatterPlot);
}

FigureContent densityFigure(const Comparison& comparison, const FigureSpec& spec) {
  const auto data = makeDensity(comparison, orDefault(spec.metric, "bias_strength"));
  requireHeads(std::ranges::any_of(data.models, [](const DensityModel& model) { return model.heads > 0; }),
               spec);
  return familyPanels(data, spec, densityPlot);
}

FigureContent depthMapFigure(const Comparison& comparison, const FigureSpec& spec) {
  return depthMapContent(makeDepthMap(comparison, apMetric(comparison, spec)), spec);
}

FigureContent modelBarsFigure(const Comparison& comparison, const FigureSpec& spec) {
  return barsContent(makeModelBars(comparison, apMetric(comparison, spec)), spec);
}

FigureContent signalBarsFigure(const Comparison& comparison, const FigureSpec& spec) {
  return barsContent(makeSignalBars(comparison), spec);
}

FigureContent signalFigure(const Comparison& comparison, const FigureSpec& spec) {
  const TrajectoryData data = makeTrajectory(comparison, signalMetrics());
  return {signalPlot(data, spec.range, spec.intervals), shownColumns(tableOf(data), spec)};
}

FigureContent componentSignalFigure(const Studies& studies, const FigureSpec& spec) {
  return barsContent(componentSignalBars(componentsOf(studies, spec)), spec);
}

FigureContent componentVarianceFigure(const Studies& studies, const FigureSpec& spec) {
  return barsContent(componentVarianceBars(componentsOf(studies, spec)), spec);
}

// Error if own models would not be shown as points.
void requirePoints(const BenchmarkData& data, const std::string& figure) {
  if (data.withoutScore.empty()) return;
  throw UsageError(
      "figure " + figure + " shows models with a score in " + data.title + " (" + data.group.title() +
      ") and a value of " + data.predictor.column + ", which " + joined(data.withoutScore) +
      (data.withoutScore.size() == 1 ? " does" : " do") +
      " not have. Give scores with --scores FILE.csv, and the names of the models in that file with --names");
}

FigureContent benchmarkFigure(const Studies& studies, const FigureSpec& spec) {
  const OwnModels own = studies.empty() ? OwnModels() : ownModels(comparisonOf(studies, spec));
  const BenchmarkData data = makeBenchmarkData(
      loadBenchmark(spec.scores.empty() ? "longbench_pro" : spec.scores), own, {spec.metric, spec.group});
  requirePoints(data, spec.figure);
  return {benchmarkPlot(data, spec.range), tableOf(data), data.title + ", " + data.group.title()};
}

}  // namespace

std::vector<FigureKind> manyStudyFigures() {
  using enum HeadNeed;
  constexpr std::size_t kMost = 32, kMostWithScores = 24;
  constexpr StudyCount kTwo{2, 2}, kSeveral{2, kMost}, kAny{1, kMost};
  return {
      {.id = "compare",
       .title = "Profiles of models",
       .head = Optional,
       .options = {"range", "names", "order", "axis", "published", "intervals", "panels", "common_heads",
                   "groups", "plasticity"},
       .proportion = 0.95,
       .inchesPerModel = 0.19,
       .prepare = compared<compareFigure>,
       .studies = kSeveral},
      {.id = "compare-matrix",
       .title = "Matrix of captures",
       .head = Optional,
       .options = {"metric", "names", "order", "axis", "rows", "differences", "matching", "of_head",
                   "common_heads", "groups", "plasticity"},
       .proportion = 2.5,
       .prepare = compareMatrixFigure,
       .studies = kSeveral,
       .tall = true},
      {.id = "head-difference",
       .title = "Difference of two head grids",
       .options = {"metric", "range", "names", "common_heads", "groups", "plasticity"},
       .proportion = 0.8,
       .prepare = compared<headDifferenceFigure>,
       .studies = kTwo},
      {.id = "map-difference",
       .title = "Difference of two maps",
       .head = Optional,
       .options = {"range", "names", "common_heads", "groups", "plasticity"},
       .proportion = 0.8125,
       .prepare = compared<mapDifferenceFigure>,
       .studies = kTwo},
      {.id = "drift",
       .title = "Drift of vectors",
       .options = {"metric", "range", "names"},
       .proportion = 0.5,
       .prepare = driftFigure,
       .studies = kTwo,
       .needsRows = true},
      {.id = "loss",
       .title = "Loss by position",
       .options = {"range", "names", "order"},
       .proportion = 0.8,
       .prepare = compared<lossFigure>,
       .studies = kAny,
       .needsLosses = true},
      {.id = "trajectory",
       .title = "Trajectory of models",
       .options = {"metric", "range", "names", "order", "published", "intervals", "common_heads", "groups",
                   "plasticity"},
       .proportion = 0.7,
       .prepare = compared<trajectoryFigure>,
       .studies = kSeveral},
      {.id = "signal",
       .title = "Signal of models",
       .options = {"range", "names", "order", "intervals", "common_heads", "groups"},
       .proportion = 0.5,
       .prepare = compared<signalFigure>,
       .studies = kSeveral},
      {.id = "compare-depth",
       .title = "Models by depth",
       .options = {"metric", "range", "names", "order", "published", "intervals", "panels", "common_heads",
                   "groups", "plasticity"},
       .proportion = 0.5,
       .inchesPerModel = 0.105,
       .prepare = compared<compareDepthFigure>,
       .studies = kSeveral},
      {.id = "compare-taxonomy",
       .title = "Classes of models",
       .options = {"names", "order", "common_heads", "groups"},
       .proportion = 0.45,
       .prepare = compared<compareTaxonomyFigure>,
       .studies = kSeveral},
      {.id = "benchmark",
       .title = "Benchmark",
       .options = {"metric", "range", "names", "order", "scores", "group"},
       .prepare = benchmarkFigure,
       .studies = {0, kMostWithScores}},
      {.id = "compare-variance",
       .title = "Variance of models",
       .options = {"names", "order", "common_heads", "groups"},
       .proportion = 0.45,
       .prepare = compared<compareVarianceFigure>,
       .studies = kSeveral},
      {.id = "compare-bars",
       .title = "Metric of models",
       .options = {"metric", "range", "names", "order", "intervals", "common_heads", "groups", "plasticity"},
       .proportion = 0.5,
       .prepare = compared<modelBarsFigure>,
       .studies = kSeveral},
      {.id = "compare-signal",
       .title = "Signal on a",
       .options = {"range", "names", "order", "intervals", "common_heads", "groups"},
       .proportion = 0.5,
       .prepare = compared<signalBarsFigure>,
       .studies = kSeveral},
      {.id = "depth-map",
       .title = "Models by depth, map",
       .options = {"metric", "range", "names", "order", "common_heads", "groups", "plasticity"},
       .proportion = 0.55,
       .prepare = compared<depthMapFigure>,
       .studies = kAny},
      {.id = "head-scatter",
       .title = "Heads of models",
       .options = {"metric", "names", "order", "against", "panels", "common_heads", "groups"},
       .proportion = 0.85,
       .prepare = compared<headScatterFigure>,
       .studies = kAny},
      {.id = "density",
       .title = "Spread over heads",
       .options = {"metric", "names", "order", "panels", "common_heads", "groups", "plasticity"},
       .proportion = 0.6,
       .prepare = compared<densityFigure>,
       .studies = kAny},
      {.id = "component-signal",
       .title = "Signal by component",
       .head = Optional,
       .options = {"layer", "range"},
       .proportion = 0.5,
       .prepare = componentSignalFigure,
       .studies = kAny},
      {.id = "component-variance",
       .title = "Variance by component",
       .head = Optional,
       .options = {"layer", "range"},
       .proportion = 0.5,
       .prepare = componentVarianceFigure,
       .studies = kAny},
  };
}

}  // namespace plastiscope
