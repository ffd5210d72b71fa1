#include "widgets/export/benchmark_figures.h"

#include "core/base/error.h"
#include "core/figures/figures.h"
#include "core/jobs/compare_job.h"
#include "widgets/export/many_study_figures.h"

namespace plastiscope {

namespace {

// Own models that would be no point are told, not left out.
void requirePoints(const BenchmarkData& data, const std::string& figure) {
  if (data.withoutScore.empty()) return;
  std::string names;
  for (const std::string& name : data.withoutScore) names += (names.empty() ? "" : ", ") + name;
  throw UsageError("figure " + figure + " shows models with a score in " + data.title + " (" +
                   data.group.title() + ") and a value of " + data.predictor.column + ", which " + names +
                   (data.withoutScore.size() == 1 ? " does" : " do") +
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
