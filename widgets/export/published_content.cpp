#include "widgets/export/figure_makers.h"

#include "core/compare/published_figures.h"
#include "core/figures/figures.h"
#include "core/views/figure_tables.h"

namespace plastiscope {

namespace {

const char* const kSubject = "the thesis";

FigureContent trajectory(const std::vector<std::string>& metrics, const FigureSpec& spec,
                         Plot (*plot)(const TrajectoryData&, const ValueRange&, bool)) {
  const TrajectoryData data = publishedTrajectory(metrics);
  return {plot(data, spec.range, spec.intervals), tableOf(data), kSubject, data.published};
}

FigureContent shares(const ComparedShares& data) {
  return {comparedSharesPlot(data), tableOf(data), kSubject, data.published};
}

}  // namespace

FigureContent publishedMapContent(const ThesisFigure& figure, const FigureSpec& spec) {
  const MapData data = publishedMap(figure.model);
  const MapOptions options{spec.range, false};
  return {mapPlot(data, options), tableOf(data), kSubject, data.published};
}

FigureContent publishedWeightsContent(const ThesisFigure& figure, const FigureSpec&) {
  const ComponentWeightsData data = publishedWeights(figure.model);
  return {weightsPlot(data), tableOf(data), kSubject, data.published + ", the five largest"};
}

FigureContent publishedCheckpointsContent(const ThesisFigure&, const FigureSpec& spec) {
  return trajectory(checkpointMetrics(), spec, checkpointsPlot);
}

FigureContent publishedTrajectoryContent(const ThesisFigure&, const FigureSpec& spec) {
  return trajectory({spec.metric}, spec, trajectoryPlot);
}

FigureContent publishedSignalContent(const ThesisFigure&, const FigureSpec& spec) {
  return trajectory(signalMetrics(), spec, signalPlot);
}

FigureContent publishedBenchmarkContent(const ThesisFigure&, const FigureSpec& spec) {
  FigureContent content = benchmarkFigure({}, spec);
  content.note = "printed, notes";
  return content;
}

FigureContent publishedComponentSignalContent(const ThesisFigure&, const FigureSpec& spec) {
  return barsContent(componentSignalBars(publishedComponents()), spec, kSubject);
}

FigureContent publishedComponentVarianceContent(const ThesisFigure&, const FigureSpec& spec) {
  return barsContent(componentVarianceBars(publishedComponents()), spec, kSubject);
}

FigureContent publishedDepthContent(const ThesisFigure& figure, const FigureSpec& spec) {
  return depthMapContent(publishedDepthMap(figure.models, spec.metric), spec, kSubject);
}

FigureContent publishedTaxonomyContent(const ThesisFigure&, const FigureSpec&) {
  return shares(publishedTaxonomy());
}

FigureContent publishedVarianceContent(const ThesisFigure&, const FigureSpec&) {
  return shares(publishedVariance());
}

FigureContent publishedSignalBarsContent(const ThesisFigure&, const FigureSpec& spec) {
  return barsContent(publishedSignalBars(), spec, kSubject);
}

FigureContent publishedBarsContent(const ThesisFigure& figure, const FigureSpec& spec) {
  return barsContent(publishedModelBars(figure.models, spec.metric), spec, kSubject);
}

}  // namespace plastiscope
