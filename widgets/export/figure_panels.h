#pragma once
// Prepares figures: checks a spec, computes the numbers, and composes the panels, one per value of an option
// that has several.
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

struct FigurePart {
  const FigureKind* kind = nullptr;
  std::string title;  // "L12H6", "Qwen3-4B"; empty where the panel itself shows it
  Studies studies;
  FigureSpec spec;  // for this panel only
  std::optional<PanelPlace> place = {};
};
// Panel of figure "page" as text: FIGURE[:HEAD, LAYER or METRIC][:NUMBERS OF INPUTS][@PLACE], where PLACE is
// WIDTHxHEIGHT+X+Y in parts of the page's width, from the top left: "map:L12H6:2@0.48x0.3+0.52+0". Without a
// head it uses the page's; without a number the first input, or all for a figure of several. Either all
// panels have places or none.
struct PagePart {
  std::string subject;              // without the place
  std::optional<PanelPlace> place;  // nullopt: none, or not understood
  std::string text() const;
};
PagePart pagePart(const std::string& text);
std::string partText(const FigureSpec& spec);  // the subject, without input and place
// Height of a page whose panels have places, in parts of its width; 0: a grid.
double composedHeight(const std::vector<std::string>& parts);

// One part for every head, study and metric in the spec; a single one for a plain figure.
std::vector<FigurePart> figureParts(const FigureKind& kind, const Studies& studies, const FigureSpec& spec);

struct ContentPanel {
  std::string title;
  FigureContent content;
};
// Panels with letters; the table has letter and title of the panel in its first column. A single panel
// without a note is unchanged.
FigureContent composePanels(std::vector<ContentPanel> panels, const PanelOptions& options);

// Checks the spec against the kind and the studies, then prepares. UsageError, InputError.
FigureContent prepareFigure(const Studies& studies, const FigureSpec& spec);
// Draft of the caption of a prepared figure.
std::string captionOf(const Studies& studies, const FigureContent& content, const FigureSpec& spec);
// Plasticity shown in a figure of these studies.
ShownPlasticity shownPlasticity(const Studies& studies, const FigureSpec& spec);

}  // namespace plastiscope
