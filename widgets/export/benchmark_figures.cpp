#include "widgets/export/benchmark_figures.h"

#include "core/jobs/compare_job.h"
#include "widgets/export/many_study_figures.h"
#include "widgets/plots/benchmark_figure.h"

namespace plastiscope {

FigureContent benchmarkFigure(const Studies& studies, const FigureSpec& spec) {
  const OwnModels own = studies.empty() ? OwnModels() : ownModels(comparisonOf(studies, spec));
  const BenchmarkData data = makeBenchmarkData(
      loadBenchmark(spec.scores.empty() ? "longbench_pro" : spec.scores), own, {spec.metric, spec.group});
  const auto range = spec.range;
  return {[data, range](const FigurePlace& place, const PlotStyle& style) {
            buildBenchmark(place, data, style, range);
          },
          tableOf(data), data.title + ", " + data.group.title()};
}

}  // namespace plastiscope
