#include "widgets/export/figure_makers.h"

#include <algorithm>
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

namespace plastiscope {

namespace {

// Error if requested published numbers do not exist.
void requirePublished(const ComparedProfiles& data, const FigureSpec& spec) {
  if (spec.published && std::all_of(data.models.begin(), data.models.end(),
                                    [](const ComparedProfile& profile) { return profile.published.empty(); }))
    throw UsageError("no profile of any of these models was published");
}

FigureContent sharesFigure(const Comparison& comparison, const ComparedShares& data) {
  return {comparedSharesPlot(data), tableOf(data), comparedSubject(comparison)};
}

}  // namespace

std::string comparedSubject(const Comparison& comparison) {
  return joined(comparison.models, &ComparedModel::name);
}

Table shownColumns(Table table, const FigureSpec& spec) {
  return spec.intervals ? std::move(table) : withoutIntervals(std::move(table));
}

std::string apMetric(const Comparison& comparison, const FigureSpec& spec) {
  return spec.metric.empty() ? columnAs(comparison.plasticity.kind, "ap_overall") : spec.metric;
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
  Comparison comparison = makeComparison(inputs, options);
  sortModels(comparison, spec.order);
  return comparison;
}

FigureContent compareFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  const ComparedProfiles data = compareProfiles(comparison, spec.scope.head, spec.published);
  requirePublished(data, spec);
  CompareOptions options;
  options.axis = spec.axis.value_or(PositionAxis::Share);
  options.range = spec.range;
  options.intervals = spec.intervals;
  return {comparePlot(data, options), shownColumns(tableOf(data), spec),
          comparedSubject(comparison) + (spec.scope.head ? ", " + spec.scope.text() : "")};
}

namespace {

MatrixRow matrixRowNamed(const std::string& name) {
  for (const MatrixRow row : kMatrixRows) {
    if (name == namesOf(row)[static_cast<std::size_t>(row)]) return row;
  }
  std::vector<std::string> known;
  for (const char* each : namesOf(MatrixRow())) known.emplace_back(each);
  throw UsageError("the matrix has no row \"" + name + "\"" + didYouMean(name, known));
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

}  // namespace

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

namespace {

std::string differenceSubject(const Comparison& comparison) {
  return comparison.models[1].name + " \u2212 " + comparison.models[0].name;
}

void requireCapture(const Study& study) {
  if (study.capture == nullptr)
    throw InputError("figure drift needs the captured rows of both inputs, but of " + study.title +
                     " only the analysis was found");
}

}  // namespace

FigureContent headDifferenceFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  const ComparedGrids grids = compareGrids(comparison, apMetric(comparison, spec));
  const auto &first = grids.grids[0], &other = grids.grids[1];
  const auto difference = first && other ? differenceGrid(*first, *other) : nullptr;
  if (difference == nullptr)
    throw InputError(
        "the two inputs differ in the number of layers or heads, or lack the metric: there is no difference "
        "head by head");
  HeadGridOptions options;
  options.range = spec.range;
  return {headGridPlot(*difference, options), tableOf(*difference), differenceSubject(comparison)};
}

FigureContent mapDifferenceFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
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
    HeadGridOptions options;
    options.range = spec.range;
    panels.push_back({title, headGridPlot(driftGrid(drift, choice, facts.layers, heads), options)});
  }
  PanelOptions options;
  options.columns = 2;
  const ComparedLosses losses = compareLosses(comparison);
  options.note = perplexityChange(losses.models[0], losses.models[1]);
  return {composePlots(std::move(panels), options), driftHeadsTable(drift), differenceSubject(comparison)};
}

FigureContent lossFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  const ComparedLosses data = compareLosses(comparison);
  if (data.baseline() == nullptr)
    throw UsageError("figure loss shows losses, but none of the inputs was captured with --loss");
  return {lossPlot(data, spec.range), tableOf(data), comparedSubject(comparison)};
}

FigureContent trajectoryFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  const bool thesis = spec.metric.empty();
  std::vector<std::string> metrics = thesis ? checkpointMetrics() : std::vector<std::string>{spec.metric};
  for (std::string& metric : metrics) {
    if (thesis) metric = columnAs(spec.plasticity, metric);
  }
  const TrajectoryData data = makeTrajectory(comparison, metrics, spec.published);
  return {(thesis ? checkpointsPlot : trajectoryPlot)(data, spec.range, spec.intervals),
          shownColumns(tableOf(data), spec), comparedSubject(comparison)};
}

FigureContent compareDepthFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  const ComparedDepths data = compareDepths(comparison, apMetric(comparison, spec), spec.published);
  return {comparedDepthsPlot(data, spec.range, spec.intervals), shownColumns(tableOf(data), spec),
          comparedSubject(comparison)};
}

FigureContent compareTaxonomyFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  return sharesFigure(comparison, compareTaxonomy(comparison));
}

FigureContent compareVarianceFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  return sharesFigure(comparison, compareVariance(comparison));
}

// --- Benchmarks -----------------------------------------------------------------------------------------

namespace {

// Error if own models would not be shown as points.
void requirePoints(const BenchmarkData& data, const std::string& figure) {
  if (data.withoutScore.empty()) return;
  throw UsageError(
      "figure " + figure + " shows models with a score in " + data.title + " (" + data.group.title() +
      ") and a value of " + data.predictor.column + ", which " + joined(data.withoutScore) +
      (data.withoutScore.size() == 1 ? " does" : " do") +
      " not have. Give scores with --scores FILE.csv, and the names of the models in that file with --names");
}

}  // namespace

FigureContent benchmarkFigure(const Studies& studies, const FigureSpec& spec) {
  const OwnModels own = studies.empty() ? OwnModels() : ownModels(comparisonOf(studies, spec));
  const BenchmarkData data = makeBenchmarkData(
      loadBenchmark(spec.scores.empty() ? "longbench_pro" : spec.scores), own, {spec.metric, spec.group});
  requirePoints(data, spec.figure);
  return {benchmarkPlot(data, spec.range), tableOf(data), data.title + ", " + data.group.title()};
}

}  // namespace plastiscope
