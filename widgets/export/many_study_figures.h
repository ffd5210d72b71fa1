#pragma once
// The figures of several captures or analyses (figure_kinds.cpp lists them).
#include "core/compare/comparison.h"
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

inline constexpr std::size_t kMostCompared = 6;  // as many looks as can be told apart
inline constexpr std::size_t kMostNamed =
    24;  // where models have places of their own, or their family's look

// The studies as the spec names and orders them.
Comparison comparisonOf(const Studies& studies, const FigureSpec& spec);

// A table with the columns that the figure shows: without those of intervals where none are wanted.
Table shownColumns(Table table, const FigureSpec& spec);

std::string comparedSubject(const Comparison& comparison);  // the names

FigureContent compareFigure(const Studies& studies, const FigureSpec& spec);
FigureContent trajectoryFigure(const Studies& studies, const FigureSpec& spec);
FigureContent compareDepthFigure(const Studies& studies, const FigureSpec& spec);
FigureContent compareTaxonomyFigure(const Studies& studies, const FigureSpec& spec);
FigureContent compareVarianceFigure(const Studies& studies, const FigureSpec& spec);

}  // namespace plastiscope
