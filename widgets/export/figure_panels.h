#pragma once
// Figures of several panels: what is given several times where a figure shows one.
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

struct FigurePart {
  std::string title;  // "L12H6", "Qwen3-4B"; empty where the panel says what it shows
  Studies studies;
  FigureSpec spec;  // of this panel alone
};
// One part for every head, study and metric that the spec names; a single one for a plain figure.
std::vector<FigurePart> figureParts(const FigureKind& kind, const Studies& studies, const FigureSpec& spec);
std::size_t partsOf(const FigureKind& kind, const FigureSpec& spec);  // how many, by spec.studies

struct ContentPanel {
  std::string title;
  FigureContent content;
};
// Panels with letters; the table has the panel's letter and title in its first column. A single panel
// without a note stays as it is.
FigureContent composePanels(std::vector<ContentPanel> panels, int columns);

}  // namespace plastiscope
