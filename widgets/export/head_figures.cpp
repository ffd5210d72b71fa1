#include "widgets/export/figure_makers.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/compare/head_distributions.h"
#include "core/compare/model_series.h"
#include "core/figures/figures.h"
#include "core/views/complement_data.h"

namespace plastiscope {

namespace {

constexpr std::size_t kComplementPairs = 30;  // 5 x 6 panels, as in ROT-08

std::string given(const std::string& name, const char* usual) {
  return name.empty() ? usual : name;
}

// One plot of all models, or one panel per family; the table covers all.
template <typename Data>
FigureContent apart(const Data& data, const FigureSpec& spec, std::string subject,
                    Plot (*plot)(const Data&)) {
  if (spec.panels == PanelsOf::Usual) return {plot(data), tableOf(data), std::move(subject)};
  std::vector<PanelPlot> panels;
  for (const Data& family : byFamily(data))
    panels.push_back({familyTitle(family.models.front().model.family), plot(family)});
  PanelOptions options;
  options.columns = spec.columns;
  return {composePlots(std::move(panels), options), tableOf(data), std::move(subject)};
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

}  // namespace

FigureContent barsContent(const BarData& data, const FigureSpec& spec, std::string subject) {
  return {barsPlot(data, spec.range, spec.intervals), shownColumns(tableOf(data), spec), std::move(subject),
          data.published};
}

FigureContent depthMapContent(const DepthMapData& data, const FigureSpec& spec, std::string subject) {
  return {depthMapPlot(data, spec.range), tableOf(data), std::move(subject), data.published};
}

FigureContent headScatterFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  const auto data = makeHeadScatter(comparison, given(spec.against, "r_q"), given(spec.metric, "r_k"));
  requireHeads(data.heads() > 0, spec);
  return apart(data, spec, comparedSubject(comparison), headScatterPlot);
}

FigureContent densityFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  const auto data = makeDensity(comparison, given(spec.metric, "bias_strength"));
  requireHeads(std::ranges::any_of(data.models, [](const DensityModel& model) { return model.heads > 0; }),
               spec);
  return apart(data, spec, comparedSubject(comparison), densityPlot);
}

FigureContent depthMapFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  return depthMapContent(makeDepthMap(comparison, apMetric(comparison, spec)), spec,
                         comparedSubject(comparison));
}

FigureContent modelBarsFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  return barsContent(makeModelBars(comparison, apMetric(comparison, spec)), spec,
                     comparedSubject(comparison));
}

FigureContent signalBarsFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  return barsContent(makeSignalBars(comparison), spec, comparedSubject(comparison));
}

FigureContent signalFigure(const Studies& studies, const FigureSpec& spec) {
  const Comparison comparison = comparisonOf(studies, spec);
  const TrajectoryData data = makeTrajectory(comparison, signalMetrics());
  return {signalPlot(data, spec.range, spec.intervals), shownColumns(tableOf(data), spec),
          comparedSubject(comparison)};
}

FigureContent componentSignalFigure(const Studies& studies, const FigureSpec& spec) {
  return barsContent(componentSignalBars(componentsOf(studies, spec)), spec, "");
}

FigureContent componentVarianceFigure(const Studies& studies, const FigureSpec& spec) {
  return barsContent(componentVarianceBars(componentsOf(studies, spec)), spec, "");
}

FigureContent complementFigure(const Study& study, const FigureSpec& spec) {
  const auto data = std::make_shared<const ComplementData>(
      makeComplement(study, *spec.scope.head, kComplementPairs, kVectorPointLimit));
  if (!data->missing.empty()) throw InputError(data->missing);
  return {complementPlot(data), tableOf(*data), ""};
}

}  // namespace plastiscope
