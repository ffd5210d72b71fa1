#pragma once
// The 32 figures of the thesis, by id: each is a figure of figure_kinds.h with its metric, heads and
// panels, drawn from captures or analyses, or from published numbers if available.
#include <span>

#include "core/compare/published_figures.h"
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

struct ThesisFigure {
  const char *id, *title;
  const char* number;  // number of the figure in the thesis: "6.3"; "" = only in the author's figure set
  const char* kind;    // id of the figure that draws it
  double proportion;   // height / width; of one panel where heads or studies are panels
  struct Shown {
    const char* metric = "";
    const char* against = "";
    const char* panels = "";
    const char* heads = "";  // default heads
    int columns = 0;
    double leastPanelInches = 0;  // narrower panels are stacked
    // Draws the published numbers of one metric without studies; null = not available.
    FigureContent (*published)(const ThesisFigure&, const FigureSpec&) = nullptr;
    const char* model = "";  // model of the numbers, if it is one
    PublishedModels models = PublishedModels::Primary;
    const char* says = "";  // rich: explanation of the axes of published numbers
  } shows = {};
  const char* lacks = "";  // missing parts of the published numbers
};

std::span<const ThesisFigure> thesisFigures();
// The thesis figure with the id spec.figure.
FigureContent thesisFigure(const Studies& studies, const FigureSpec& spec);

}  // namespace plastiscope
