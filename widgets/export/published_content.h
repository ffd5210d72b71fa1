#pragma once
// Figures of the thesis' published numbers alone, for the list of thesis_list.cpp. spec.metric: one metric.
#include "widgets/export/thesis_figures.h"

namespace plastiscope {

FigureContent publishedMapContent(const ThesisFigure& figure, const FigureSpec& spec);
FigureContent publishedWeightsContent(const ThesisFigure& figure, const FigureSpec& spec);
FigureContent publishedCheckpointsContent(const ThesisFigure& figure, const FigureSpec& spec);
FigureContent publishedTrajectoryContent(const ThesisFigure& figure, const FigureSpec& spec);
FigureContent publishedSignalContent(const ThesisFigure& figure, const FigureSpec& spec);
FigureContent publishedBenchmarkContent(const ThesisFigure& figure, const FigureSpec& spec);
FigureContent publishedComponentSignalContent(const ThesisFigure& figure, const FigureSpec& spec);
FigureContent publishedComponentVarianceContent(const ThesisFigure& figure, const FigureSpec& spec);
FigureContent publishedDepthContent(const ThesisFigure& figure, const FigureSpec& spec);
FigureContent publishedTaxonomyContent(const ThesisFigure& figure, const FigureSpec& spec);
FigureContent publishedVarianceContent(const ThesisFigure& figure, const FigureSpec& spec);
FigureContent publishedSignalBarsContent(const ThesisFigure& figure, const FigureSpec& spec);
FigureContent publishedBarsContent(const ThesisFigure& figure, const FigureSpec& spec);

}  // namespace plastiscope
