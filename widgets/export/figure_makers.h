#pragma once
// Functions that make figures of studies, for the list in figure_kinds.cpp, and shared helpers.
#include "core/compare/comparison.h"
#include "core/compare/head_distributions.h"
#include "core/compare/model_series.h"
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

// --- One study (one_study_figures.cpp)

FigureContent headGridFigure(const Study& study, const FigureSpec& spec);
std::pair<double, double> headGridRange(const Study& study, const FigureSpec& spec);  // colour range
FigureContent abScatterFigure(const Study& study, const FigureSpec& spec);
FigureContent pcaScatterFigure(const Study& study, const FigureSpec& spec);
FigureContent profileFigure(const Study& study, const FigureSpec& spec);
FigureContent quintilesFigure(const Study& study, const FigureSpec& spec);
FigureContent profileAndQuintilesFigure(const Study& study, const FigureSpec& spec);
FigureContent mapFigure(const Study& study, const FigureSpec& spec);
FigureContent componentsFigure(const Study& study, const FigureSpec& spec);
FigureContent weightsFigure(const Study& study, const FigureSpec& spec);
FigureContent depthFigure(const Study& study, const FigureSpec& spec);
FigureContent taxonomyFigure(const Study& study, const FigureSpec& spec);
FigureContent headMetricsFigure(const Study& study, const FigureSpec& spec);
FigureContent placementFigure(const Study& study, const FigureSpec& spec);
FigureContent salienceFigure(const Study& study, const FigureSpec& spec);

// One head on a text (text_figures.cpp)
FigureContent textFigure(const Study& study, const FigureSpec& spec);
FigureContent keysFigure(const Study& study, const FigureSpec& spec);

// Adapts such a function to an entry of the list.
template <FigureContent (*figure)(const Study&, const FigureSpec&)>
FigureContent ofOne(const Studies& studies, const FigureSpec& spec) {
  return figure(*studies.front(), spec);
}

// --- Heads of one or many studies (head_figures.cpp)

FigureContent headScatterFigure(const Studies& studies, const FigureSpec& spec);
FigureContent densityFigure(const Studies& studies, const FigureSpec& spec);
FigureContent depthMapFigure(const Studies& studies, const FigureSpec& spec);
FigureContent modelBarsFigure(const Studies& studies, const FigureSpec& spec);
FigureContent signalBarsFigure(const Studies& studies, const FigureSpec& spec);
FigureContent signalFigure(const Studies& studies, const FigureSpec& spec);
FigureContent componentSignalFigure(const Studies& studies, const FigureSpec& spec);
FigureContent componentVarianceFigure(const Studies& studies, const FigureSpec& spec);
FigureContent complementFigure(const Study& study, const FigureSpec& spec);

// Figures of existing data, own or published.
FigureContent barsContent(const BarData& data, const FigureSpec& spec, std::string subject);
FigureContent depthMapContent(const DepthMapData& data, const FigureSpec& spec, std::string subject);

// --- Several studies (many_study_figures.cpp)

inline constexpr std::size_t kMaxCompared = 32;
inline constexpr std::size_t kMaxNamed = 32;

// The studies with the names and order of the spec.
Comparison comparisonOf(const Studies& studies, const FigureSpec& spec);

// The metric of the spec, or AP over all bins of the shown kind.
std::string apMetric(const Comparison& comparison, const FigureSpec& spec);

// Table without interval columns if the figure shows no intervals.
Table shownColumns(Table table, const FigureSpec& spec);

std::string comparedSubject(const Comparison& comparison);  // the names

FigureContent compareFigure(const Studies& studies, const FigureSpec& spec);
FigureContent compareMatrixFigure(const Studies& studies, const FigureSpec& spec);
// Second study minus the first: heads, or cells of the plasticity map.
FigureContent headDifferenceFigure(const Studies& studies, const FigureSpec& spec);
FigureContent mapDifferenceFigure(const Studies& studies, const FigureSpec& spec);
FigureContent driftFigure(const Studies& studies, const FigureSpec& spec);  // drift of queries and of keys
FigureContent lossFigure(const Studies& studies, const FigureSpec& spec);
FigureContent trajectoryFigure(const Studies& studies, const FigureSpec& spec);
FigureContent compareDepthFigure(const Studies& studies, const FigureSpec& spec);
FigureContent compareTaxonomyFigure(const Studies& studies, const FigureSpec& spec);
FigureContent compareVarianceFigure(const Studies& studies, const FigureSpec& spec);

inline constexpr std::size_t kMaxOwn = 24;

FigureContent benchmarkFigure(const Studies& studies, const FigureSpec& spec);

}  // namespace plastiscope
