#pragma once
// The figures of one capture or analysis (figure_kinds.cpp lists them).
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

FigureContent headGridFigure(const Study& study, const FigureSpec& spec);
std::pair<double, double> headGridRange(const Study& study, const FigureSpec& spec);  // of its colours
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

// Such a figure as an entry of the list.
template <FigureContent (*figure)(const Study&, const FigureSpec&)>
FigureContent ofOne(const Studies& studies, const FigureSpec& spec) {
  return figure(*studies.front(), spec);
}

}  // namespace plastiscope
