#pragma once
// Figures of several panels: one panel per value of an option that has several.
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

struct FigurePart {
  const FigureKind* kind = nullptr;
  std::string title;  // "L12H6", "Qwen3-4B"; empty where the panel itself shows it
  Studies studies;
  FigureSpec spec;  // for this panel only
};
// Figure whose panels are separate figures, each with its own head, metric and input.
inline constexpr const char* kPageFigure = "page";
// Text of a panel: "ab-scatter:L12H6", "head-grid:ap_drop:2". Without a head it uses the page's.
std::string partText(const FigureSpec& spec);

// One part for every head, study and metric in the spec; a single one for a plain figure.
std::vector<FigurePart> figureParts(const FigureKind& kind, const Studies& studies, const FigureSpec& spec);
std::size_t partsOf(const FigureKind& kind, const FigureSpec& spec);  // number of parts, by spec.studies

struct ContentPanel {
  std::string title;
  FigureContent content;
};
// Panels with letters; the table has letter and title of the panel in its first column. A single panel
// without a note is unchanged.
FigureContent composePanels(std::vector<ContentPanel> panels, const PanelOptions& options);

}  // namespace plastiscope
