#include "widgets/export/figure_makers.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/compare/benchmark_data.h"
#include "core/compare/compared_profiles.h"
#include "core/compare/family_data.h"
#include "core/compare/trajectory_data.h"
#include "core/figures/figures.h"
#include "core/jobs/compare_job.h"
#include "core/views/head_interval.h"

namespace plastiscope {

namespace {

// What was asked for and is not there is told, not left out.
void requirePublished(const ComparedProfiles& data, const FigureSpec& spec) {
  if (spec.published && std::all_of(data.models.begin(), data.models.end(),
                                    [](const ComparedProfile& profile) { return profile.published.empty(); }))
    throw UsageError("the reference data hold no profile of any of these models");
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

Comparison comparisonOf(const Studies& studies, const FigureSpec& spec) {
  if (!spec.names.empty() && spec.names.size() != studies.size())
    throw UsageError("expected one name an input, found " + std::to_string(spec.names.size()) +
                     " names for " + std::to_string(studies.size()) + " inputs");
  std::vector<ComparisonInput> inputs;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const Study& study = *studies[i];
    inputs.push_back({spec.names.empty() ? "" : spec.names[i], study.file.empty() ? study.title : study.file,
                      study.analysis});
  }
  Comparison comparison = makeComparison(inputs);
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

FigureContent trajectoryFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  const bool thesis = spec.metric.empty();
  const TrajectoryData data = makeTrajectory(
      comparison, thesis ? checkpointMetrics() : std::vector<std::string>{spec.metric}, spec.published);
  return {(thesis ? checkpointsPlot : trajectoryPlot)(data, spec.range, spec.intervals),
          shownColumns(tableOf(data), spec), comparedSubject(comparison)};
}

FigureContent compareDepthFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  const ComparedDepths data =
      compareDepths(comparison, spec.metric.empty() ? "ap_overall" : spec.metric, spec.published);
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

// Own models that would be no point are told, not left out.
void requirePoints(const BenchmarkData& data, const std::string& figure) {
  if (data.withoutScore.empty()) return;
  throw UsageError("figure " + figure + " shows models with a score in " + data.title + " (" +
                   data.group.title() + ") and a value of " + data.predictor.column + ", which " +
                   joined(data.withoutScore) + (data.withoutScore.size() == 1 ? " does" : " do") +
                   " not have: --scores FILE.csv gives scores, and --names what the models are called there");
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
