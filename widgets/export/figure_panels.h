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
};
// Text of a panel: "ab-scatter:L12H6", "head-grid:ap_drop:2". Without a head it uses the page's.
std::string partText(const FigureSpec& spec);

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
// Plasticity shown in a figure of these studies.
ShownPlasticity shownPlasticity(const Studies& studies, const FigureSpec& spec);

}  // namespace plastiscope
