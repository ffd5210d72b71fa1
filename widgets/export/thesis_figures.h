#pragma once
// The 32 figures of the thesis, by their ids: each is a figure of figure_kinds.cpp with its metric, heads and
// panels, drawn from own captures or analyses, or from the published numbers where there are any.
#include <span>

#include "core/compare/published_figures.h"
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

struct ThesisFigure {
  const char *id, *title;
  const char* number;  // of the figure in the thesis: "6.3"; "" = only in the author's figure set
  const char* kind;    // id of the figure that draws it
  double proportion;   // height / width; of one panel where heads or studies are panels
  struct Shown {
    const char* metric = "";
    const char* against = "";
    const char* panels = "";
    const char* heads = "";  // where none is named
    int columns = 0;
    double leastPanelInches = 0;  // narrower panels stand below each other
    // The published numbers of one metric, drawn without studies; null = there are none.
    FigureContent (*published)(const ThesisFigure&, const FigureSpec&) = nullptr;
    const char* model = "";  // whose numbers, where they are one model's
    PublishedModels models = PublishedModels::Primary;
    const char* says = "";  // rich: what the axes of the published numbers leave open
  } shows = {};
  const char* lacks = "";  // what the published numbers lack of it
};

std::span<const ThesisFigure> thesisFigures();
// The same as entries of the list of figures.
const std::vector<FigureKind>& thesisKinds();
// The thesis figure that spec.figure names.
FigureContent thesisFigure(const Studies& studies, const FigureSpec& spec);

}  // namespace plastiscope
