#pragma once
// Helpers shared by the functions of figures (*_figures.cpp).
#include "core/compare/comparison.h"
#include "core/compare/head_distributions.h"
#include "core/compare/model_series.h"
#include "core/views/head_group.h"
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

// Adapts a function of one study to an entry of the list.
template <FigureContent (*figure)(const Study&, const FigureSpec&)>
FigureContent ofOne(const Studies& studies, const FigureSpec& spec) {
  return figure(*studies.front(), spec);
}

// The studies with the names and order of the spec.
Comparison comparisonOf(const Studies& studies, const FigureSpec& spec);

// The groups of the spec, or all of the study. UsageError as parseGroups().
HeadGroups groupsOf(const Study& study, const FigureSpec& spec);
// The spec with the heads of its groups written out, so that it no longer depends on notes.
FigureSpec withGroups(FigureSpec spec, const Studies& studies);
// Whether the figure has a panel for each group: the mean of its heads.
bool panelPerGroup(const FigureKind& kind);
// Metrics of figure group-contrasts.
std::vector<std::string> contrastMetrics(const FigureSpec& spec);

// Table without interval columns if the figure shows no intervals.
Table shownColumns(Table table, const FigureSpec& spec);

// Figures of existing data, own or published.
FigureContent barsContent(const BarData& data, const FigureSpec& spec, std::string subject = {});
FigureContent depthMapContent(const DepthMapData& data, const FigureSpec& spec, std::string subject = {});

}  // namespace plastiscope
